import Notation
import TestRandom

@testable import PhotoRecipes

/// Creates filters with random valid settings.
enum RandomFilter {
  /// A step with random settings; nil if the settings contradict one another.
  static func step(_ type: any Filter.Type, _ generator: inout SeededGenerator) -> Step? {
    var object = settings(of: type, &generator)
    object["filter"] = .string(type.name)
    if Bool.random(using: &generator) { object["id"] = .string("other") }
    if !type.changesFrame, Bool.random(using: &generator) {
      object["opacity"] = .number(0.25)
      object["blend"] = BlendMode.allCases.randomElement(using: &generator)?.json
      object["mask"] = RandomMask.mask(&generator).json
    }
    var diagnostics = Diagnostics()
    let step = Step(Field(.object(object)), &diagnostics)
    return diagnostics.isEmpty ? step : nil
  }

  private static func settings<F: Filter>(
    of type: F.Type, _ generator: inout SeededGenerator
  ) -> JSON.Object {
    var object = JSON.Object()
    for setting in F.settings
    where setting.kind == .file || Int.random(in: 0..<3, using: &generator) == 0 {
      object[setting.name] = value(setting.kind, &generator)
    }
    return object
  }

  static func value(_ kind: SettingKind, _ generator: inout SeededGenerator) -> JSON {
    switch kind {
    case .number(_, let range): .number(Double.random(in: range, using: &generator))
    case .integer(.degrees, let range):
      .integer(
        Int.random(in: range.lowerBound / 90...range.upperBound / 90, using: &generator) * 90)
    case .integer(_, let range): .integer(Int.random(in: range, using: &generator))
    case .integerOr(_, let range, _): .integer(Int.random(in: range, using: &generator))
    case .flag: .bool(Bool.random(using: &generator))
    case .choice(let names): .string(names.randomElement(using: &generator) ?? "")
    case .colour: .string(colour(&generator))
    case .extent(let range):
      Bool.random(using: &generator)
        ? .number(Double.random(in: range, using: &generator))
        : .string("\(Int.random(in: 0...10, using: &generator))%")
    case .length: length(&generator)
    case .ratio:
      .string(
        "\(Int.random(in: 1...99, using: &generator)):\(Int.random(in: 1...9999, using: &generator))"
      )
    case .points: .array([point(0, &generator), point(0.3, &generator), point(0.7, &generator)])
    case .matrix:
      .array(
        (0..<3).map { _ in
          .array((0..<4).map { _ in .number(Double.random(in: -2...2, using: &generator)) })
        })
    case .position: point(0.2, &generator)
    case .outline: .array([point(0, &generator), point(0.3, &generator), point(0.7, &generator)])
    case .corners:
      .array([[0.1, 0.2], [0.9, 0.1], [0.8, 0.9], [0, 1]].map { .array($0.map(JSON.number)) })
    case .areas:
      .array([.array([.number(0.1), .number(0.25), .number(0.5), .number(0.75)])])
    case .spots:
      .array([
        .object([
          "at": .array([.number(0.3), .number(0.25)]), "radius": .string("2%"),
          "feather": .number(Double.random(in: 0...1, using: &generator)),
        ])
      ])
    case .arguments: .array([.string("cat"), .string("-u")])
    case .file, .text: .string(["a.png", "b/ü.icc"].randomElement(using: &generator) ?? "")
    }
  }

  private static func colour(_ generator: inout SeededGenerator) -> String {
    let digits = (0..<8).map { _ in String(Int.random(in: 0..<16, using: &generator), radix: 16) }
    return "#" + digits.prefix([3, 6, 8].randomElement(using: &generator) ?? 6).joined()
  }

  private static func point(_ x: Double, _ generator: inout SeededGenerator) -> JSON {
    .array([
      .number(x + Double.random(in: 0..<0.3, using: &generator)),
      .number(Double.random(in: 0...1, using: &generator)),
    ])
  }

  private static func length(_ generator: inout SeededGenerator) -> JSON {
    let part = Double.random(in: 0...1, using: &generator)
    switch Int.random(in: 0..<6, using: &generator) {
    case 0: return .integer(Int.random(in: 0...10_000, using: &generator))
    case 1: return JSON(.number("\(part)"))
    case 2: return .string("\(Int.random(in: 0...1000, using: &generator))px")
    case 3: return .string("\(Int(part * 1000)).\(Int(part * 97))mm")
    case 4: return .string("0.\(Int.random(in: 0...999_999, using: &generator))%")
    default: return .string("\(Int.random(in: 0...100, using: &generator))%")
    }
  }
}
