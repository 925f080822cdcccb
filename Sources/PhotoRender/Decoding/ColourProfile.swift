import PhotoRecipes
import Vips

/// The tables of hue, saturation and value in the colour profile of a DNG file.
///
/// - Source: Adobe Digital Negative Specification 1.7, 2023, chapter 6, "Hue/Saturation/Value
///   Mapping Table".
struct ColourProfile: Sendable, Hashable {
  /// A table, in the form of `phbatch_hue_saturation`.
  struct Table: Sendable, Hashable {
    /// The numbers of hues, saturations and values.
    let divisions: [Int]
    let numbers: [Double]
    /// True if the values are encoded by the curve of sRGB.
    let isEncoded: Bool

    /// A mixture of this table (at `part` 0) and `other` (at `part` 1).
    fileprivate func mixed(with other: Table, _ part: Double) -> Table {
      guard part > 0, other.numbers.count == numbers.count else { return self }
      let mixed = zip(numbers, other.numbers).map { $0 + ($1 - $0) * part }
      return Table(divisions: divisions, numbers: mixed, isEncoded: isEncoded)
    }
  }

  /// The tables of the camera's colours for the two calibrations; empty if there are none.
  private let colours: [Table]
  /// The table of the profile's look; nil if there is none.
  private let look: Table?
  /// The exposure, in stops, that the profile adds to the exposure of the file.
  let exposureOffset: Double

  /// The tables of a file.
  init(_ file: DNGFile) {
    func table(_ divisions: UInt16, _ numbers: UInt16, _ encoding: UInt16) -> Table? {
      guard let counts = file.numbers(divisions)?.map({ Int($0) }), counts.count >= 2,
        let values = file.numbers(numbers)
      else { return nil }
      let all = [counts[0], counts[1], counts.count > 2 ? counts[2] : 1]
      guard all[0] > 0, all[1] > 1, all[2] > 0, all.allSatisfy({ $0 <= 4_096 }),
        values.count == all.reduce(3, *)
      else { return nil }
      return Table(
        divisions: all, numbers: values, isEncoded: file.numbers(encoding)?.first == 1)
    }
    colours = [50_938, 50_939].compactMap { table(50_937, $0, 51_107) }
    look = table(50_981, 50_982, 51_108)
    exposureOffset = file.exposureOffset
  }

  /// The names of the tables that the file has.
  var names: [String] {
    [
      colours.isEmpty ? nil : "HueSatMap" + (colours.count > 1 ? " for two lights" : ""),
      look == nil ? nil : "LookTable",
    ].compactMap(\.self)
  }
}

/// The operations on linear light by the tables of a profile, in their order.
struct ProfileSteps: Sendable, Hashable {
  private struct Step: Sendable, Hashable {
    let table: ColourProfile.Table
    let matrix: ColourMatrix
    let inverse: ColourMatrix
  }

  private let steps: [Step]

  /// True if there is nothing to do.
  var isEmpty: Bool { steps.isEmpty }

  /// The steps of a profile, for one light.
  ///
  /// - Parameters:
  ///   - profile: The profile.
  ///   - part: The weight of the second calibration at the temperature of the light, 0…1.
  ///   - gain: The factor of the exposure. It comes after the table of the camera's colours, and
  ///     before the table of the look.
  ///   - hasLook: False to leave out the table of the look.
  init(_ profile: ColourProfile?, part: Double, gain: Double, hasLook: Bool) {
    let exposure = ColourMatrix.diagonal(.init(repeating: gain))
    var steps: [Step] = []
    if let table = profile?.table(at: part) {
      steps.append(
        Step(table: table, matrix: Self.toProPhoto, inverse: exposure.after(Self.fromProPhoto)))
    }
    if hasLook, let look = profile?.lookTable {
      let first = steps.isEmpty ? exposure : .identity
      steps.append(
        Step(table: look, matrix: Self.toProPhoto.after(first), inverse: Self.fromProPhoto))
    }
    self.steps = steps
  }

  /// The matrix from linear sRGB to linear ProPhoto RGB.
  private static let toProPhoto: ColourMatrix = {
    let toD50 = Bradford.adaptation(
      from: Primaries.xyz(Primaries.d65), to: Primaries.xyz(Primaries.d50))
    return (Primaries.proPhoto.xyzFromRGB.inverse ?? .identity).after(toD50)
      .after(SRGB.xyzFromRGB)
  }()
  private static let fromProPhoto = toProPhoto.inverse ?? .identity

  /// All numbers of the steps, the same in each process.
  var text: String {
    let parts = steps.map { step in
      "\(step.matrix.numbers) \(step.inverse.numbers) \(step.table.divisions)"
        + " \(step.table.numbers) \(step.table.isEncoded)"
    }
    return "ProfileSteps(steps: [\(parts.joined(separator: ", "))])"
  }

  func applied(to image: Image) throws(VipsError) -> Image {
    var image = image
    for step in steps {
      image = try image.applying(
        "phbatch_hue_saturation",
        [
          "matrix": .numbers(step.matrix.numbers), "inverse": .numbers(step.inverse.numbers),
          "divisions": .integers(step.table.divisions), "table": .numbers(step.table.numbers),
          "encoded": .flag(step.table.isEncoded), "format": .choice(SampleFormat.float.rawValue),
        ])
    }
    return image
  }
}

extension ColourProfile {
  /// The table of the camera's colours for a light; nil if the profile has none.
  fileprivate func table(at part: Double) -> Table? {
    guard let first = colours.first, let last = colours.last else { return nil }
    return first.mixed(with: last, part)
  }

  fileprivate var lookTable: Table? { look }
}

extension ColourMatrix {
  /// The nine numbers, row by row.
  var numbers: [Double] { rows.flatMap { [$0.x, $0.y, $0.z] } }
}
