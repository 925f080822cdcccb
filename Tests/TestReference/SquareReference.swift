extension Raster {
  /// The minimum over the square of `radius` around each pixel; the edge is repeated.
  package func lowest(radius: Int) -> Raster { overSquares(radius) { min($0, $1) } }

  /// The maximum over the square of `radius` around each pixel; the edge is repeated.
  package func highest(radius: Int) -> Raster { overSquares(radius) { max($0, $1) } }

  private func overSquares(_ radius: Int, _ choose: (Double, Double) -> Double) -> Raster {
    mapped { x, y, band in
      var found = value(x, y, band)
      for j in -radius...radius {
        for i in -radius...radius { found = choose(found, nearest(x + i, y + j, band)) }
      }
      return found
    }
  }
}

/// The colours of a picture as luma and chroma, separated like in the kernels for chroma.
package struct ChromaReference {
  /// Images of one band each: the luma, R − luma, B − luma, and alpha.
  ///
  /// All values of a transparent pixel are 0.
  package var luma, red, blue, alpha: Raster
  private let photo: Raster

  /// Converts a picture with premultiplied colours.
  package init(_ photo: Raster) {
    self.photo = photo
    func plane(_ value: (_ colour: [Double], _ luma: Double) -> Double) -> Raster {
      Raster(photo.width, photo.height, bands: 1) { x, y, _ in
        let alpha = photo.bands == 4 ? photo.value(x, y, 3) : 1
        if alpha <= 1.0 / 512 { return 0 }
        let colour = (0..<3).map { photo.value(x, y, $0) / alpha }
        return value(colour, 0.2126 * colour[0] + 0.7152 * colour[1] + 0.0722 * colour[2])
      }
    }
    luma = plane { $1 }
    red = plane { $0[0] - $1 }
    blue = plane { $0[2] - $1 }
    alpha = Raster(photo.width, photo.height, bands: 1) { x, y, _ in
      let alpha = photo.bands == 4 ? photo.value(x, y, 3) : 1
      return alpha <= 1.0 / 512 ? 0 : alpha
    }
  }

  /// The colour of a pixel with another chroma, not premultiplied, before its luminance is
  /// corrected.
  package func colour(_ x: Int, _ y: Int, _ red: Double, _ blue: Double) -> [Double] {
    let luma = luma.value(x, y, 0)
    return [luma + red, luma - (0.2126 * red + 0.0722 * blue) / 0.7152, luma + blue]
  }

  /// The photo with another chroma and its old luminance in linear light.
  package func photo(red newRed: Raster, blue newBlue: Raster) -> Raster {
    func light(_ colour: [Double]) -> Double {
      zip(colour, [0.2126, 0.7152, 0.0722]).map { PointReference.decoded($0) * $1 }.reduce(0, +)
    }
    return photo.mapped { x, y, band in
      let (oldRed, oldBlue) = (red.value(x, y, 0), blue.value(x, y, 0))
      let (red, blue) = (newRed.value(x, y, 0), newBlue.value(x, y, 0))
      if band == 3 || (red, blue) == (oldRed, oldBlue) { return photo.value(x, y, band) }
      let (old, new) = (colour(x, y, oldRed, oldBlue), colour(x, y, red, blue))
      let factor = light(new) > 1e-6 && light(old) > 0 ? light(old) / light(new) : 1
      return PointReference.encoded(PointReference.decoded(new[band]) * factor)
        * alpha.value(x, y, 0)
    }
  }
}
