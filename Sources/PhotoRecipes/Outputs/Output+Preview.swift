extension Graph.Preview {
  /// JPEG in sRGB, in the order of the graph's outputs; what is only there to compare with is
  /// encoded as is usual for the web.
  public static func outputs(quality: Int) -> [Output] {
    [after, before].map { name in
      var format = JPEGFormat()
      format.quality = .level(name == after ? quality : min(quality, 85))
      // Fitting tables takes longer than the few bytes are worth that it saves.
      format.optimize = false
      return Output(name: name, format: format, keepsGrey: false, metadata: .none)
    }
  }
}
