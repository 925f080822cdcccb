import Testing

@testable import PhotoRecipes

/// Compares matrices, tone curves and whites with colour-science, and splines with SciPy.
///
/// See `Tests/Oracles/colour-science-tables.py`.
@Suite struct ColourScienceTests {
  private static func rows(_ name: String) throws -> [[Double]] {
    try MeasuredPicture.rows(name, of: "colour-science.txt")
  }

  private static func distance(_ matrix: ColourMatrix, _ numbers: ArraySlice<Double>) -> Double {
    let found = matrix.rows.flatMap { [$0.x, $0.y, $0.z] }
    return zip(found, numbers).map { abs($0 - $1) }.max() ?? .infinity
  }

  private static func distance(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double {
    max(abs(a.x - b.x), abs(a.y - b.y), abs(a.z - b.z))
  }

  @Test(arguments: [
    ("srgb", Primaries.srgb), ("display-p3", .displayP3), ("adobe-rgb", .adobeRGB),
    ("prophoto", .proPhoto),
  ])
  func matricesOfColourSpacesEqualThePublishedValues(_ name: String, _ primaries: Primaries) throws
  {
    let row = try #require(try Self.rows("matrix.\(name)").first)
    // The tolerance is larger for ROMM RGB: ISO 22028-2 gives its primaries with fewer digits than
    // its matrix.
    let bound = name == "prophoto" ? 1e-4 : 1e-11
    #expect(row.count == 9 && Self.distance(primaries.xyzFromRGB, row[...]) < bound)
    let inverse = try #require(primaries.xyzFromRGB.inverse)
    #expect(inverse.after(primaries.xyzFromRGB).isNearIdentity)
  }

  @Test func theSRGBCurveEqualsThatOfColourScience() throws {
    let rows = try Self.rows("light.srgb")
    #expect(rows.count == 14)
    for row in rows {
      #expect(abs(Curve.decode(row[0]) - row[1]) < 1e-12, "\(row)")
      // The sRGB standard defines the curve by two formulas, whose rounded constants leave a small
      // step where the formulas meet.
      #expect(abs(Curve.encode(row[1]) - row[0]) < 1e-7, "\(row)")
      #expect(Curve.decode(-row[0]) == -Curve.decode(row[0]))
    }
  }

  @Test(arguments: GradingSpace.allCases.filter { $0 != .srgb })
  func gradingSpacesEqualThoseOfTheirStandards(_ space: GradingSpace) throws {
    let rows = try Self.rows("space.\(space.rawValue)")
    #expect(rows.count == 25)
    let (entry, exit) = (PointProgram(space.entry), PointProgram(space.exit))
    // The constants of BT.709 have three digits, so its two formulas differ by 0.0001 where they
    // meet, at 0.018.
    let tolerance = [.rec709, .rec2020].contains(space) ? 2e-4 : 2e-6
    for row in rows {
      let display = SIMD3(
        Curve.encode(row[0]), Curve.encode(row[1]), Curve.encode(row[2]))
      let own = SIMD3(row[3], row[4], row[5])
      let found = (try #require(entry(display)), try #require(exit(own)))
      #expect(Self.distance(found.0, own) < tolerance, "\(row)")
      #expect(Self.distance(found.1, display) < 2 * tolerance, "\(row)")
    }
  }

  @Test func whitesAreAdaptedByBradford() throws {
    let rows = try Self.rows("adaptation")
    #expect(rows.count == 16)
    for row in rows {
      let matrix = Bradford.adaptation(
        from: Primaries.xyz(SIMD2(row[0], row[1])), to: Primaries.xyz(SIMD2(row[2], row[3])))
      #expect(Self.distance(matrix, row[4...]) < 1e-9, "\(row)")
    }
  }

  /// Compares the white for each colour temperature and tint with colour-science.
  ///
  /// The tolerance is needed because phbatch samples spectra in steps of 10 nm, and colour-science
  /// in steps of 1 nm.
  @Test func temperatureAndTintDetermineTheWhite() throws {
    let rows = try Self.rows("illuminant")
    #expect(rows.count == 47)
    for row in rows {
      let xyz = Illuminant(temperature: row[0], tint: row[1]).xyz
      // The chromaticity in CIE 1976 u'v'.
      func chromaticity(_ x: Double, _ y: Double, _ z: Double) -> SIMD2<Double> {
        SIMD2(4 * x, 9 * y) / (x + 15 * y + 3 * z)
      }
      let apart =
        chromaticity(xyz.x, xyz.y, xyz.z) - chromaticity(row[2], row[3], row[4])
      #expect((apart * apart).sum().squareRoot() < 1e-4, "\(row)")
    }
  }

  @Test func whiteBalanceEqualsAChromaticAdaptation() throws {
    let rows = try Self.rows("whiteBalance").filter { $0[0] >= 2000 && abs($0[1]) <= 40 }
    #expect(rows.count == 27)
    for row in rows {
      var filter = WhiteBalance()
      (filter.temperature, filter.tint) = (row[0], row[1])
      let scale = row[2...].map(abs).max() ?? 1
      #expect(Self.distance(filter.adaptation, row[2...]) < 2e-3 * scale, "\(row)")
    }
  }

  @Test func oklabEqualsThatOfColourScience() throws {
    let rows = try Self.rows("oklab")
    #expect(rows.count == 49)
    for row in rows {
      let rgb = ColourMatrix.Vector(row[0], row[1], row[2])
      let apart = OKLab.lab(fromEncoded: rgb) - ColourMatrix.Vector(row[3], row[4], row[5])
      // colour-science converts via XYZ with Ottosson's matrix, in which white differs from D65 in
      // the fourth digit.
      #expect((apart * apart).max() < 4e-8, "\(row)")
      let back = OKLab.encoded(fromLab: OKLab.lab(fromEncoded: rgb)) - rgb
      #expect((back * back).max() < 1e-12, "\(row)")
    }
  }

  @Test func splinesEqualThoseOfSciPy() throws {
    let rows = try MeasuredPicture.rows("spline", of: "splines.txt")
    #expect(rows.count == 36)
    for row in rows {
      let count = Int(row[0])
      let points = (0..<count).map { CurvePoints.Point(x: row[1 + 2 * $0], y: row[2 + 2 * $0]) }
      let spline = MonotoneSpline(points)
      let values = row[(1 + 2 * count)...]
      #expect(values.count == 24)
      for i in stride(from: values.startIndex, to: values.endIndex, by: 2) {
        #expect(abs(spline(values[i]) - values[i + 1]) < 1e-9, "\(count) points at \(values[i])")
      }
    }
  }
}
