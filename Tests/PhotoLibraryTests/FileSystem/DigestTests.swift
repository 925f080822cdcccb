import PhotoLibrary
import SystemPackage
import Testing

@Suite struct DigestTests {
  let library: TemporaryLibrary

  init() throws { library = try TemporaryLibrary() }

  /// The SHA-256 digests of the examples in NIST's FIPS 180-4.
  @Test func digestsEqualThePublishedSHA256Examples() {
    #expect(
      Digest(of: Array("abc".utf8)).description
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(
      Digest(of: []).description
        == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
  }

  @Test(arguments: [0, 1, (256 << 10) - 1, 256 << 10, (256 << 10) + 1, 1 << 20])
  func theDigestOfAFileEqualsTheDigestOfItsBytes(_ count: Int) throws {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    try library.files.replace("a", with: bytes)
    let digest = try Digest(of: library.files.open("a"), in: library.files)
    #expect(digest == Digest(of: bytes))
    #expect(digest.count == Int64(count))
  }

  @Test func aFileThatGrowsWhileItsDigestIsComputedIsRefused() throws {
    let file = try library.files.create("a")
    try library.files.write([1, 2, 3], to: file)
    let growing = ObservedFileSystem(library.files) { call in
      if case .read = call { try? library.files.write([4], to: file) }
      return nil
    }
    #expect(throws: FileChangedError.self) { try Digest(of: file, in: growing) }
  }
}
