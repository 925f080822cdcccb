import Testing

@testable import PhotoBatch

@Suite struct SidecarTextTests {
  private static func text(_ text: String) -> SidecarText? { SidecarText(Array(text.utf8)) }

  private static func hash(_ name: String) -> UInt64 { SidecarText.hash(Array(name.utf8)[...]) }

  @Test func theNamesOfFilesAreFound() {
    func names(_ text: String) -> [UInt64]? { Self.text(text)?.names }
    #expect(
      names(#"{"file": "a.jpg", "output": "web", "x": {"file" :"b"}}"#)
        == [Self.hash("a.jpg"), Self.hash("b")])
    #expect(names(#"{"path": "web/{stem}.jpg", "file": "a.jpg"}"#) == [Self.hash("a.jpg")])
    #expect(names("no JSON \"file\"") == [])
    #expect(names("") == [])
  }

  @Test(arguments: [
    #"{"file": "web/a.jpg"}"#, #"{"file": "a\u002fb.jpg"}"#, #"{"file": "a", "fileBytes": "YQ=="}"#,
    #"{"output": "file", "file": "web/a.jpg"}"#, #"{"file": "file", "file": "web/a.jpg"}"#,
  ]) func aTextWithAFolderOrEscapesMustBeParsed(_ text: String) {
    #expect(Self.text(text) == nil)
  }

  /// Sidecars of photos differ in many values, but only few of them affect path templates.
  @Test func onlyValuesThatAffectPathTemplatesChangeTheForm() {
    func form(_ path: String, _ sha256: String, recipe: String = "a") -> UInt64? {
      Self.text(
        #"{"formatIdentifier": "\#(recipe)", "path": "\#(path)", "sha256": "\#(sha256)"}"#)?.form
    }
    #expect(form("{stem}.jpg", "12") == form("{stem}.jpg", "34"))
    #expect(form("{stem}.jpg", "12") != form("{name}.jpg", "12"))
    #expect(form("{stem}.jpg", "12") != form("{stem}.jpg", "12", recipe: "b"))
    #expect(
      Self.text(#"{"path": "ab", "name": "c"}"#)?.form
        != Self.text(#"{"path": "a", "name": "bc"}"#)?.form)
  }
}
