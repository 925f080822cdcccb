extension Operation {
  /// Returns the same operation for a photo that is reduced by `factor`: the input has the size
  /// `input` instead of `full`, and the result the size `result`.
  ///
  /// Nil if the operation has no effect at that size.
  func scaled(
    by factor: Double, from full: Size, _ input: Size, to result: Size
  ) -> Operation? {
    switch self {
    case .crop(let crop):
      let place = crop.rectangle(in: full).scaled(by: factor, size: result, in: input)
      return place.size == input ? nil : .crop(.pixels(place))
    case .pad(var pad):
      let place = pad.placement(of: full).photo.scaled(by: factor, size: input, in: result)
      pad.frame = .pixels(place, frame: result)
      return result == input ? nil : .pad(pad)
    case .warp(let warp): return .warp(warp.scaled(from: input, to: result))
    case .area(let area): return area.scaled(by: factor).map { .area($0) }
    case .program(let program): return .program(program.scaled(by: factor))
    case .drawn(.corners(var corners)):
      corners.radius = .pixels(
        Int((Double(corners.radius(in: full)) * factor).rounded()))
      return .drawn(.corners(corners))
    case .drawn, .shadow, .turn, .flip, .flatten, .original, .orient, .map, .measured, .resize,
      .blend, .external, .replacement, .rolloff:
      return self
    }
  }

  /// The size of the result for an input of size `input`.
  ///
  /// For a shadow, it is the size of the shadow's frame, because the shadow's lengths are rounded;
  /// for other operations it is `planned`.
  func size(_ input: Size, _ planned: Size) -> Size {
    if case .shadow(let shadow) = self { shadow.placement(of: input).frame } else { planned }
  }
}

extension Rectangle {
  /// A rectangle of `size` at this rectangle's position times `factor`, shifted to be inside
  /// `frame`.
  fileprivate func scaled(by factor: Double, size: Size, in frame: Size) -> Rectangle {
    func start(_ edge: Int, _ room: Int) -> Int {
      max(0, min(Int((Double(edge) * factor).rounded()), room))
    }
    return Rectangle(
      left: start(left, frame.width - size.width), top: start(top, frame.height - size.height),
      size: size)
  }
}

extension PointProgram {
  /// The same program for the photo reduced by `factor`.
  fileprivate func scaled(by factor: Double) -> PointProgram {
    if factor >= 1 { return self }
    return PointProgram(
      instructions.flatMap { instruction -> [Instruction] in
        guard case .grain(let grain) = instruction else { return [instruction] }
        return grain.averaged(by: factor)
      })
  }
}

extension Grain {
  /// The maximum number of noise samples in each direction within one pixel of the preview.
  private static let mostSamples = 3

  /// The grain of a photo that is reduced by `factor`, averaged over each pixel like the photo.
  ///
  /// The grain is sampled at even steps within each pixel. If more samples than the maximum would
  /// be needed, the amount is reduced as much as the missing samples would have reduced it.
  fileprivate func averaged(by factor: Double) -> [PointProgram.Instruction] {
    let covered = 1 / factor
    let count = min(max(1, Int(covered.rounded())), Self.mostSamples)
    var part = self
    part.amount *= min(1, pixels * Double(count) / covered) / Double(count * count)
    return (0..<count * count).map { index -> PointProgram.Instruction in
      let place = Placement.Point(Double(index % count), Double(index / count))
      part.sample = (place + 0.5) / Double(count)
      return .grain(part)
    }
  }
}

extension AreaOperation {
  /// The same operation for a photo reduced by `factor`; nil if it has no effect at that size.
  func scaled(by factor: Double) -> AreaOperation? {
    if factor >= 1 { return self }
    var scaled = self
    if kernel.reduction == .sharpening, sigma > 0 {
      scaled.arguments["sigma"] = .length(SampledGaussian.effective(sigma))
    }
    scaled.arguments = scaled.arguments.mapValues { argument in
      switch argument {
      case .length(let length): .length(length * factor)
      case .arc(let minutes, let least): .arc(minutes: minutes, least: least * factor)
      case .integer(let pixels): .integer(Int((Double(pixels) * factor).rounded()))
      case .part, .haloOfSigma, .number, .numbers, .flag, .choice, .spots: argument
      }
    }
    return scaled.withinReach(factor)
  }

  /// The same operation with arguments within the kernel's range; nil if it has no effect.
  private func withinReach(_ factor: Double) -> AreaOperation? {
    var result = self
    switch kernel.reduction {
    case .none: break
    case .sharpening: return sharpening(by: sigma)
    case .leftOutBelowSigma: return sigma < SampledGaussian.leastSigma ? nil : self
    case .leastSigma: result.arguments["sigma"] = .length(max(SampledGaussian.leastSigma, sigma))
    case .leftOutWithoutRadius: return arguments["radius"] == .integer(0) ? nil : self
    case .leftOutWithoutSquares: if square < 1.5 { return nil }
    case .leastSquare:
      if square > 0 { result.arguments["size"] = .length(max(1, square)) }
    case .weaker:
      for name in ["luma", "chroma"] {
        guard case .number(let strength) = arguments[name] else { continue }
        result.arguments[name] = .number(strength * factor)
      }
    }
    return result
  }

  /// True if the operation removes so much noise that a reduction before it changes the result
  /// visibly.
  var takesNoiseAway: Bool {
    switch kernel {
    case .median: true
    case .denoise:
      ["luma", "chroma"].contains { name in
        if case .number(let strength) = arguments[name] { strength > 0.6 } else { false }
      }
    default: false
    }
  }

  /// The side, in pixels, of the squares with which the operation covers the photo; 0 if it has
  /// none.
  private var square: Double {
    if case .length(let size) = arguments["size"] { size } else { 0 }
  }
}
