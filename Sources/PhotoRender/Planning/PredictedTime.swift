import PhotoRecipes

extension RenderPlan {
  /// The predicted processor time in seconds for rendering the photo on one core of a 2023
  /// processor.
  ///
  /// The rates are fitted to the times of 50 photos of the corpus. The prediction is meant for
  /// comparing the photos of one recipe; a scheduler's limit needs a margin.
  public var predictedSeconds: Double {
    Self.secondsPerPhoto + decodingSeconds + pixelSeconds + encodingSeconds / Output.timeMargin
      + fastEncodingSeconds
  }

  /// The same prediction for one frame of a film, with the time for measuring its places.
  public var predictedFrameSeconds: Double {
    predictedSeconds + frameSeconds / Output.timeMargin
  }

  /// The time in seconds for a photo of no pixels: header, metadata, files and commit.
  private static let secondsPerPhoto = 0.012

  /// The time for decoding the photo's file.
  private var decodingSeconds: Double {
    let megapixels = Double(header.size.pixels) * Double(max(1, header.pages)) / 1e6
    if header.fileFormat == .jpeg {
      // The coefficients of all pixels are decoded, but only the pixels that are loaded are
      // computed.
      return 0.003 * megapixels + 0.004 * min(loadedMegapixels, megapixels)
    }
    return decodingRate * megapixels
  }

  /// The time in seconds for decoding a million pixels of a format other than JPEG.
  private var decodingRate: Double {
    if header.raw != nil { return 0.08 }
    return switch header.fileFormat {
    case .heif: 0.05
    case .avif, .jxl, .jp2: 0.03
    default: 0.009
    }
  }

  private var loadedMegapixels: Double {
    pipeline.calls.indices.reduce(0) { sum, call in
      guard case .load = pipeline.calls[call].step.operation else { return sum }
      return sum + Double(pipeline.frame(of: call).size.pixels) / 1e6
    }
  }

  /// The time for all operations: kernels that read neighbours take the longest.
  private var pixelSeconds: Double {
    pipeline.calls.indices.reduce(0) { sum, call in
      let pixels = Double(pipeline.frame(of: call).size.pixels) / 1e6
      let rate: Double =
        switch pipeline.calls[call].step.operation {
        case .kernel: 0.006
        case .importByTables, .exportByTables: 0.03
        case .vips, .draw, .shadow, .map, .gains: 0.004
        case .load, .hold, .tee, .pick, .grey, .external: 0.001
        }
      return sum + rate * pixels
    }
  }

  /// The time of encoders such as JPEG's, whose `encodingSeconds` are 0.
  private var fastEncodingSeconds: Double {
    pipeline.outputs.reduce(0) { $0 + 0.008 * Double($1.size.pixels) / 1e6 }
  }
}
