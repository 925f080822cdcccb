import Notation
import PhotoLibrary
import SystemPackage
import TestSupport
import Testing

@testable import PhotoStudio

@Suite struct DraftTests {
  private static let draft = Draft(
    onDisk: Array("{\"stops\": 0.50}".utf8), text: Array("{\"stops\": 0.7}".utf8),
    own: ["a/ü\n.jpg": JSON.Object([JSON.Object.Member("exposure.stops", .number(-1.25))])],
    date: "2026-01-31T10:00:00Z")

  @Test func aDraftIsReadAsItWasWritten() throws {
    let text = Self.draft.json.compactText
    let json = JSONParser.parse(SourceText(name: "draft", text: text)).json
    #expect(try Draft(#require(json)) == Self.draft)
  }

  @Test(arguments: [
    "{}", "{\"draft\": 2}", "[]", "{\"draft\": 1, \"date\": \"\", \"onDisk\": \"\"}",
    "{\"draft\": 1, \"date\": \"\", \"onDisk\": \"\", \"text\": \"\", \"own\": {\"a\": 1}}",
  ])
  func aDamagedDraftIsNone(_ text: String) throws {
    let json = JSONParser.parse(SourceText(name: "draft", text: text)).json
    #expect(try Draft(#require(json)) == nil)
  }

  @Test func oneStudioAtATimeOwnsADraft() throws {
    let folder = try TemporaryFolder()
    let root = try OutputRoot(library: folder.path)
    let recipe: FilePath = "/recipes/web.json"
    var first: DraftFile? = DraftFile(of: recipe, in: root)
    #expect(first?.read() == nil)
    #expect(try root.files.status(at: ".phbatch") == nil, "reading writes nothing")
    try first?.write(Self.draft)
    let second = DraftFile(of: recipe, in: root)
    #expect(second.read() == nil, "another studio is editing it")
    #expect(DraftFile(of: "/recipes/other.json", in: root).read() == nil)
    // The lock ends with its owner, however that ends.
    first = nil
    #expect(second.read() == Self.draft)
    second.remove()
    #expect(DraftFile(of: recipe, in: root).read() == nil)
    #expect(try root.files.status(at: ".phbatch/studio") == nil, "nothing is left behind")
  }
}
