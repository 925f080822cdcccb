import Notation
import PhotoRecipes

/// One colour correction of an ASC CDL file: a `.cc`, `.ccc` or `.cdl` document.
///
/// - Source: ASC Color Decision List (ASC CDL) Transfer Functions and Interchange Syntax 1.2, 2009.
///   Namespaces, and the spelling of `SatNode`, differ between programs and are ignored.
public struct ColourDecision {
  /// The correction's identifier; nil if it has none.
  let id: String?
  /// The nearest description of the input, a text for people: that of the correction, the decision,
  /// or the collection or list.
  ///
  /// phbatch writes the name of the `GradingSpace`, and reads it back.
  let input: String?
  /// The values of the elements `Slope`, `Offset`, `Power` and `Saturation`; nil for a missing
  /// element, which has no effect.
  let slope: SIMD3<Double>?
  let offset: SIMD3<Double>?
  let power: SIMD3<Double>?
  let saturation: Double?

  /// Reads all corrections of a document.
  ///
  /// - Throws: `ForeignFileError` if the document is not XML, has no correction, or has an element
  ///   with the wrong count of numbers, or with numbers that the specification forbids: a negative
  ///   slope or saturation, or a power of 0 or less.
  static func all(in bytes: [UInt8]) throws(ForeignFileError) -> [ColourDecision] {
    let root: MarkupElement
    do throws(MarkupFailure) { root = try MarkupParser.parse(bytes) } catch {
      throw ForeignFileError(error)
    }
    let decisions = try all(in: root, input: nil)
    if decisions.isEmpty { throw .noSettings }
    return decisions
  }

  /// Reads all corrections in an element; `input` is the description of its input if it has none.
  private static func all(
    in element: MarkupElement, input: String?
  ) throws(ForeignFileError) -> [ColourDecision] {
    let input = element.children.first { $0.isNamed("InputDescription") }?.text ?? input
    if element.isNamed("ColorCorrection") { return [try ColourDecision(element, input: input)] }
    var decisions: [ColourDecision] = []
    for child in element.children { decisions += try all(in: child, input: input) }
    return decisions
  }

  /// True if an element is the root of a `.cc`, `.ccc` or `.cdl` document, in any namespace.
  static func isDocument(_ root: MarkupElement) -> Bool {
    let roots = [
      "colorcorrection", "colorcorrectioncollection", "colordecision", "colordecisionlist",
    ]
    return roots.contains(root.name.local.lowercased())
      || !root.all(named: "ColorCorrection").isEmpty
  }

  init(
    id: String?, input: String?, slope: SIMD3<Double>, offset: SIMD3<Double>, power: SIMD3<Double>,
    saturation: Double
  ) {
    (self.id, self.input) = (id, input)
    (self.slope, self.offset, self.power) = (slope, offset, power)
    self.saturation = saturation
  }

  private init(_ element: MarkupElement, input: String?) throws(ForeignFileError) {
    id = element[MarkupName("", "id")]
    self.input = input
    slope = try Self.numbers("Slope", 3, in: element) { $0 >= 0 }.map { SIMD3($0[0], $0[1], $0[2]) }
    offset = try Self.numbers("Offset", 3, in: element).map { SIMD3($0[0], $0[1], $0[2]) }
    power = try Self.numbers("Power", 3, in: element) { $0 > 0 }.map { SIMD3($0[0], $0[1], $0[2]) }
    saturation = try Self.numbers("Saturation", 1, in: element) { $0 >= 0 }?[0]
  }

  private static func numbers(
    _ name: String, _ count: Int, in element: MarkupElement,
    where isAllowed: (Double) -> Bool = { _ in true }
  ) throws(ForeignFileError) -> [Double]? {
    guard let found = element.all(named: name).first else { return nil }
    let words = found.text.split { $0.isWhitespace || $0 == "," }
    let numbers = words.compactMap { Double($0) }.filter { $0.isFinite && isAllowed($0) }
    guard words.count == count, numbers.count == count else {
      throw .missing(name, in: "the colour correction")
    }
    return numbers
  }
}

extension MarkupElement {
  fileprivate func isNamed(_ local: String) -> Bool {
    name.local.lowercased() == local.lowercased()
  }

  /// This element and those below it with a local name, in the order of the document.
  fileprivate func all(named local: String) -> [MarkupElement] {
    (isNamed(local) ? [self] : []) + children.flatMap { $0.all(named: local) }
  }
}
