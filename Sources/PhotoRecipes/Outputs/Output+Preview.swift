extension Graph.Preview {
  /// The outputs of a preview, in the order of the graph's outputs: JPEG in sRGB.
  ///
  /// The picture `before`, which only serves for comparison, has at most the quality that is usual
  /// on the web.
  public static func outputs(quality: Int) -> [Output] {
    [after, before].map { name in
      var format = JPEGFormat()
      format.quality = .level(name == after ? quality : min(quality, 85))
      // Optimizing the Huffman tables would take too much time for the few bytes that it saves.
      format.optimize = false
      return Output(name: name, format: format, keepsGrey: false, metadata: .none, dither: false)
    }
  }
}
