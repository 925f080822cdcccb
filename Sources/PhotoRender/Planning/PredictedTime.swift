import PhotoRecipes

extension RenderPlan {
  /// The predicted processor time in seconds for rendering the photo on one core of a 2023
  /// processor.
  ///
  /// The rates are estimates. The prediction is meant for comparing the photos of one recipe; a
  /// scheduler's limit needs a margin.
  public var predictedSeconds: Double {
    Self.secondsPerPhoto + decodingSeconds + pixelSeconds + encodingSeconds / Output.timeMargin
      + fastEncodingSeconds
  }

  /// The time in seconds for a photo of no pixels: header, metadata, files and commit.
  private static let secondsPerPhoto = 0.012

  /// The time for decoding all pixels of the photo's file.
  private var decodingSeconds: Double {
    let rate = header.raw == nil ? 0.009 : 0.2
    return rate * Double(header.size.pixels) * Double(max(1, header.pages)) / 1e6
  }

  /// The time for all operations: kernels that read neighbours take the longest.
  private var pixelSeconds: Double {
    pipeline.calls.indices.reduce(0) { sum, call in
      let pixels = Double(pipeline.frame(of: call).size.pixels) / 1e6
      let rate: Double =
        switch pipeline.calls[call].step.operation {
        case .kernel: 0.015
        case .importByTables, .exportByTables, .vips, .draw, .shadow, .map,
          .gains:
          0.006
        case .load, .hold, .tee, .pick, .grey, .external: 0.002
        }
      return sum + rate * pixels
    }
  }

  /// The time of encoders such as JPEG's, whose `encodingSeconds` are 0.
  private var fastEncodingSeconds: Double {
    pipeline.outputs.reduce(0) { $0 + 0.01 * Double($1.size.pixels) / 1e6 }
  }
}
