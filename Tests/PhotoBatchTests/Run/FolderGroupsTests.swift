import PhotoLibrary
import SystemPackage
import TestRandom
import Testing

@testable import PhotoBatch

@Suite struct FolderGroupsTests {
  private static func key(_ number: Int) -> FolderKey {
    FolderKey(.library, FilePath("folder\(number)"))
  }

  @Test(arguments: UInt64(1)...20) func linkedFoldersAreInOneGroupAndEachFolderIsInOne(
    _ seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    var groups = FolderGroups()
    let links = (0..<12).map { _ in
      (Int.random(in: 0..<40, using: &random), Int.random(in: 0..<40, using: &random))
    }
    for (one, other) in links { groups.link(Self.key(one), Self.key(other)) }
    // The last folders are only named by links.
    let folders = (0..<30).map { (key: Self.key($0), files: Int.random(in: 0...9, using: &random)) }
    let found = groups.groups(of: folders, least: 12)
    #expect(found.joined().count == folders.count)
    #expect(Set(found.joined()) == Set(folders.map(\.key)))
    func group(_ number: Int) -> Int? { found.firstIndex { $0.contains(Self.key(number)) } }
    for (one, other) in links where one < 30 && other < 30 { #expect(group(one) == group(other)) }
    let files = Dictionary(uniqueKeysWithValues: folders)
    for group in found.dropLast() { #expect(group.reduce(0) { $0 + (files[$1] ?? 0) } >= 12) }
  }

  @Test func foldersAreLinkedByAFolderThatDoesNotExist() {
    var groups = FolderGroups()
    groups.link(Self.key(1), Self.key(9))
    groups.link(Self.key(3), Self.key(9))
    let folders = (1...4).map { (key: Self.key($0), files: 1) }
    #expect(
      groups.groups(of: folders, least: 1)
        == [[Self.key(1), Self.key(3)], [Self.key(2)], [Self.key(4)]])
  }
}
