import Foundation
import Glibc
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
    #expect(Draft(Self.draft.bytes) == Self.draft)
  }

  @Test(arguments: [
    "", "\n", "{}", "[]", "{\"draft\": 2}", "{\"draft\": 3, \"date\": \"\", \"onDisk\": \"\"}",
    "{\"draft\": 2, \"date\": \"\", \"onDisk\": \"\"",
  ])
  func aDraftWithADamagedFirstLineIsNone(_ text: String) {
    #expect(Draft(Array(text.utf8)) == nil)
  }

  private static let change = Draft.Change(
    text: Array("{\"stops\": 2}".utf8), own: ["a/ü\n.jpg": nil, "b.jpg": JSON.Object()],
    date: "2026-01-31T10:00:01Z")

  /// Wherever a crash ends the last line, the lines before it are read.
  @Test func aTornLastLineIsIgnored() {
    let (start, line) = (Self.draft.bytes, Self.change.line)
    var changed = Self.draft
    (changed.text, changed.date) = (Array("{\"stops\": 2}".utf8), "2026-01-31T10:00:01Z")
    changed.own = ["b.jpg": JSON.Object()]
    #expect(Draft(start + line) == changed)
    #expect(Draft(start + line.dropLast()) == changed)
    for length in 0..<line.count - 1 {
      #expect(Draft(start + line.prefix(length)) == Self.draft, "\(length) bytes")
    }
  }

  /// The changes in a damaged line are lost; the lines after it are read.
  @Test func linesBehindADamagedLineAreRead() throws {
    let start = Self.draft.bytes
    let damaged = Array("{\"date\": \u{0}\n".utf8)
    let first = Draft.Change(
      text: Array("{\"stops\": 1}".utf8), own: ["b.jpg": JSON.Object()], date: "1")
    let last = Draft.Change(text: nil, own: ["a/ü\n.jpg": nil], date: "2")
    var wanted = Self.draft
    (wanted.text, wanted.date) = (Array("{\"stops\": 1}".utf8), "2")
    wanted.own = ["b.jpg": JSON.Object()]
    wanted.damage = Draft.Damage(lines: 2, start: Self.draft.date)
    #expect(Draft(start + damaged + first.line + damaged + last.line) == wanted)
    let end = try #require(start.firstIndex(of: UInt8(ascii: "\n")))
    let head = Array(start[...end])
    wanted.damage = Draft.Damage(lines: 1, includesStart: true, start: Self.draft.date)
    #expect(Draft(head + damaged + first.line + last.line) == wanted)
    wanted = Self.draft
    wanted.damage = Draft.Damage(lines: 1, start: Self.draft.date)
    #expect(Draft(start + damaged + damaged.dropLast()) == wanted, "the last line may be torn")
  }

  @Test func aChangeIsAppendedToTheDraft() throws {
    let folder = try TemporaryFolder()
    let root = try OutputRoot(library: folder.path)
    var file: DraftFile? = DraftFile(of: "/recipes/web.json", in: root)
    #expect(try file?.append(Self.change) == false, "there is no draft yet")
    try file?.write(Self.draft)
    #expect(try file?.append(Self.change) == true)
    var long = Self.change
    long.text = [UInt8](repeating: UInt8(ascii: "x"), count: 2 << 20)
    #expect(try file?.append(long) == true)
    #expect(try file?.append(Self.change) == false, "the file is much longer than its content")
    try file?.write(Self.draft)
    #expect(try file?.append(Self.change) == true)
    try FileManager.default.removeItem(atPath: folder[".phbatch/studio"].string)
    #expect(try file?.append(Self.change) == false, "the file was removed")
    try root.files.createFolders(".phbatch/studio")
    try file?.write(Self.draft)
    #expect(try file?.append(Self.change) == true)
    file = nil
    let found = DraftFile(of: "/recipes/web.json", in: root).laterFinding().draft
    #expect(found == Draft(Self.draft.bytes + Self.change.line))
  }

  /// A draft is never larger than a file that is read.
  @Test func aDraftThatIsWrittenCanBeRead() throws {
    let folder = try TemporaryFolder()
    let root = try OutputRoot(library: folder.path)
    let limit = Self.draft.bytes.count + 2 * Self.change.line.count
    var file: DraftFile? = DraftFile(of: "/recipes/web.json", in: root, limit: limit)
    try file?.write(Self.draft)
    #expect(try file?.append(Self.change) == true)
    #expect(try file?.append(Self.change) == true)
    #expect(try file?.append(Self.change) == false, "the whole draft is shorter")
    try file?.write(Self.draft)
    var large = Self.draft
    large.text = [UInt8](repeating: UInt8(ascii: "x"), count: limit)
    #expect(throws: Refusal.self) { try file?.write(large) }
    file = nil
    let found = DraftFile(of: "/recipes/web.json", in: root, limit: limit).laterFinding().draft
    #expect(found == Self.draft, "the latest draft that has room stays")
  }

  /// A draft that cannot be read gets another name, and never that of an earlier one.
  @Test func aDamagedDraftIsKept() throws {
    let folder = try TemporaryFolder()
    let root = try OutputRoot(library: folder.path)
    let state = ".phbatch/studio"
    try DraftFile(of: "/recipes/web.json", in: root).write(Self.draft)
    let path = try #require(
      try FileManager.default.contentsOfDirectory(atPath: folder[state].string)
        .first { $0.hasSuffix(".json") })
    let earlier = #"{"draft": 1, "text": "{}", "own": {}}"#
    let damaged = ["{\"draft\": 2, ", earlier, String(repeating: "x", count: 3000)]
    let names = ["\(path).damaged", "\(path).damaged-2", "\(path).damaged-3"]
    for (text, name) in zip(damaged, names) {
      try folder.write(text, to: "\(state)/\(path)")
      let file = DraftFile(of: "/recipes/web.json", in: root, limit: 2000)
      guard case .unreadable(let found) = file.laterFinding() else {
        Issue.record("a damaged draft is reported")
        continue
      }
      #expect(found.path.string == "\(state)/\(name)" && found.isRenamed)
      #expect(try folder.read("\(state)/\(name)") == Array(text.utf8))
      #expect(file.read().draft == nil, "it is found once")
      try file.write(Self.draft)
      file.remove()
    }
    let left = try FileManager.default.contentsOfDirectory(atPath: folder[state].string)
    #expect(left.sorted() == names, "nothing else is left behind")
  }

  /// A draft that can be read in part is offered again until the user decides; one copy is kept.
  @Test func aPartlyDamagedDraftIsCopied() throws {
    let folder = try TemporaryFolder()
    let root = try OutputRoot(library: folder.path)
    let state = ".phbatch/studio"
    var file: DraftFile? = DraftFile(of: "/recipes/web.json", in: root)
    try file?.write(Self.draft)
    file = nil
    let path = try #require(
      try FileManager.default.contentsOfDirectory(atPath: folder[state].string)
        .first { $0.hasSuffix(".json") })
    let damaged = Self.draft.bytes + Array("damaged\n".utf8) + Self.change.line
    try folder.write(damaged, to: "\(state)/\(path)")
    for _ in 0..<2 {
      file = DraftFile(of: "/recipes/web.json", in: root)
      let damage = try #require(file?.laterFinding().draft?.damage)
      #expect(damage.lines == 1 && damage.copy?.string == "\(state)/\(path).damaged")
      #expect(try folder.read("\(state)/\(path)") == damaged)
      file = nil
    }
    file = DraftFile(of: "/recipes/web.json", in: root)
    #expect(file?.laterFinding().draft != nil)
    file?.remove()
    let left = try FileManager.default.contentsOfDirectory(atPath: folder[state].string)
    #expect(left == ["\(path).damaged"], "one copy is left behind")
    #expect(try folder.read("\(state)/\(path).damaged") == damaged)
  }

  @Test func oneStudioAtATimeOwnsADraft() throws {
    let folder = try TemporaryFolder()
    let root = try OutputRoot(library: folder.path)
    let recipe: FilePath = "/recipes/web.json"
    var first: DraftFile? = DraftFile(of: recipe, in: root)
    #expect(first?.read().draft == nil)
    #expect(try root.files.status(at: ".phbatch") == nil, "reading writes nothing")
    try first?.write(Self.draft)
    let second = DraftFile(of: recipe, in: root)
    #expect(second.read().draft == nil, "another studio is editing it")
    #expect(DraftFile(of: "/recipes/other.json", in: root).read().draft == nil)
    // The lock ends with its owner, however that ends.
    first = nil
    #expect(second.laterFinding().draft == Self.draft)
    second.remove()
    #expect(DraftFile(of: recipe, in: root).read().draft == nil)
    #expect(try root.files.status(at: ".phbatch/studio") == nil, "nothing is left behind")
  }
}

extension DraftFile {
  /// Reads the draft of an owner that has ended.
  ///
  /// A process that another test is starting can hold the lock for a moment longer.
  fileprivate func laterFinding() -> Finding {
    for _ in 0..<200 {
      let found = read()
      guard case .none = found else { return found }
      usleep(50_000)
    }
    return .none
  }
}

extension DraftFile.Finding {
  /// The draft that was found; nil if there is none or if it cannot be read.
  fileprivate var draft: Draft? {
    if case .draft(let draft) = self { draft } else { nil }
  }
}
