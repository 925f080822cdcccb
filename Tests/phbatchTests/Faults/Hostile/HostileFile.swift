import TestRandom

/// A photo with one random change.
struct HostileFile {
  enum Change: String, CaseIterable {
    /// No change: the file must be rendered.
    case none
    case flipped
    case truncated
    /// A length field has another value.
    case length
    /// The start of one file is followed by the end of another.
    case spliced
    /// Two chunks, segments or boxes exchange their positions.
    case swapped
    /// A part occurs twice.
    case doubled
    /// A run of bytes is replaced by zeros or by noise.
    case overwritten
  }

  let seed: HostileSeed
  let change: Change
  let bytes: [UInt8]

  /// Creates a changed file.
  ///
  /// Every tenth file is left unchanged, so that the test notices if a run reports an undamaged
  /// photo.
  init(_ number: Int, of seeds: [HostileSeed], _ random: inout SeededGenerator) {
    seed = seeds[number % seeds.count]
    let changes = Change.allCases.filter { $0 != .none }
    change = number.isMultiple(of: 10) ? .none : changes[Int(random.next() % UInt64(changes.count))]
    let other = seeds[Int(random.next() % UInt64(seeds.count))]
    bytes = Self.changed(seed.bytes, by: change, other.bytes, &random)
  }

  private static func changed(
    _ file: [UInt8], by change: Change, _ other: [UInt8], _ random: inout SeededGenerator
  ) -> [UInt8] {
    var file = file
    let parts = FileParts(file).parts
    switch change {
    case .none: break
    case .flipped:
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        file[place(in: file, &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      }
    case .truncated: file = Array(file.prefix(Int.random(in: 0..<file.count, using: &random)))
    case .length:
      guard let part = parts.randomElement(using: &random) else { break }
      let old = Array(file[part.length])
      let values: [[UInt8]] = [
        old.map { _ in 0 }, old.map { _ in 0xFF }, old.reversed(),
        old.map { $0 &+ UInt8.random(in: 0...1, using: &random) },
        [0x7F] + old.dropFirst().map { _ in 0xFF },
      ]
      file.replaceSubrange(part.length, with: values.randomElement(using: &random) ?? old)
    case .spliced:
      let head = file.prefix(Int.random(in: 0...file.count, using: &random))
      file = Array(head + other.dropFirst(Int.random(in: 0...other.count, using: &random)))
    case .swapped:
      guard let first = parts.randomElement(using: &random),
        let second = parts.last(where: { $0.range.lowerBound >= first.range.upperBound })
      else { break }
      file =
        Array(file[..<first.range.lowerBound]) + file[second.range]
        + file[first.range.upperBound..<second.range.lowerBound] + file[first.range]
        + file[second.range.upperBound...]
    case .doubled:
      guard let part = parts.randomElement(using: &random) else { break }
      file.insert(contentsOf: Array(file[part.range]), at: part.range.upperBound)
    case .overwritten:
      let start = place(in: file, &random)
      let isZero = Bool.random(using: &random)
      for index in start..<min(file.count, start + Int.random(in: 1...64, using: &random)) {
        file[index] = isZero ? 0 : UInt8.random(in: 0...255, using: &random)
      }
    }
    return file
  }

  /// A random offset; every second offset is in the first 256 bytes, where most errors can occur.
  private static func place(in file: [UInt8], _ random: inout SeededGenerator) -> Int {
    let count = Bool.random(using: &random) ? min(file.count, 256) : file.count
    return Int.random(in: 0..<count, using: &random)
  }
}
