/// A parser of ours as libFuzzer calls it, and as `make test` calls it with the files in `Corpora`.
///
/// The parser may refuse its bytes, but must not end the process, go on for long, or ask for much
/// memory.
public struct FuzzTarget: Sendable {
  /// The target's name on the command line, and of its folder in `Corpora`.
  public let name: String
  public let parse: @Sendable ([UInt8]) -> Void

  init(_ name: String, _ parse: @escaping @Sendable ([UInt8]) -> Void) {
    self.name = name
    self.parse = parse
  }

  public static let all: [FuzzTarget] =
    [.recipe, .sidecar, .adjustment, .payload, .xmp, .profile, .cube, .icc, .head]
    + containers + [.exif, .iptc, .packet]
}
