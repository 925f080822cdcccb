/// A parser that libFuzzer calls with mutated files, and that `make test` calls with the files in
/// `Corpora`.
///
/// The parser may refuse the bytes, but must not crash, run for long, or allocate much memory.
public struct FuzzTarget: Sendable {
  /// The target's name on the command line, which is also the name of its folder in `Corpora`.
  public let name: String
  public let parse: @Sendable ([UInt8]) -> Void

  init(_ name: String, _ parse: @escaping @Sendable ([UInt8]) -> Void) {
    self.name = name
    self.parse = parse
  }

  public static let all: [FuzzTarget] =
    [.recipe, .sidecar, .adjustment, .payload, .xmp, .profile, .cube, .icc, .head]
    + containers + [.exif, .iptc, .packet] + studio
}
