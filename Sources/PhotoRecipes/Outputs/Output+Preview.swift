extension Graph.Preview {
  /// JPEG in sRGB, in the order of the graph's outputs.
  ///
  /// Pictures that only serve for comparison have the quality that is usual on the web.
  public static func outputs(quality: Int) -> [Output] {
    [after, before].map { name in
      var format = JPEGFormat()
      format.quality = .level(name == after ? quality : min(quality, 85))
      // Optimized Huffman tables take more time than the few bytes that they save are worth.
      format.optimize = false
      return Output(name: name, format: format, keepsGrey: false, metadata: .none, dither: false)
    }
  }
}
