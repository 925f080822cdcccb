import Foundation
import FuzzTargets
import TestRandom
import Testing

/// Runs the parsers on the files from which libFuzzer started, and on the files with which it found
/// defects.
@Suite struct ReplayTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../Corpora").standardizedFileURL

  private static func corpus(_ target: FuzzTarget) throws -> [[UInt8]] {
    try FileManager.default.contentsOfDirectory(
      at: folder.appending(path: target.name), includingPropertiesForKeys: nil
    )
    .sorted { $0.path < $1.path }.map { Array(try Data(contentsOf: $0)) }
  }

  @Test(arguments: FuzzTarget.all) func everyFileOfTheCorpusIsReadOrRefusedWithoutACrash(
    _ target: FuzzTarget
  ) throws {
    let files = try Self.corpus(target)
    #expect(!files.isEmpty, "\(target.name)")
    for file in files { target.parse(file) }
  }

  /// Changes files at random, as libFuzzer does, but without its guidance by coverage.
  @Test(arguments: FuzzTarget.all) func randomlyChangedFilesAreReadOrRefusedWithoutACrash(
    _ target: FuzzTarget
  ) throws {
    let files = try Self.corpus(target)
    var numbers = SeededGenerator(seed: 7)
    for round in 0..<200 {
      var file = files[round % files.count]
      for _ in 0..<Int.random(in: 1...4, using: &numbers) where !file.isEmpty {
        let place = Int.random(in: file.indices, using: &numbers)
        switch Int.random(in: 0..<4, using: &numbers) {
        case 0: file[place] = 0xFF
        case 1: file[place] = UInt8.random(in: 0...255, using: &numbers)
        case 2: file.removeSubrange(place..<min(file.count, place + 5))
        default: file.removeLast(Int.random(in: 0..<file.count, using: &numbers))
        }
      }
      target.parse(file)
    }
  }

  /// Every folder of `Corpora` has a target; a folder without one would not be replayed.
  @Test func everyCorpusFolderIsNamedAfterATarget() throws {
    let folders = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    #expect(folders.sorted() == FuzzTarget.all.map(\.name).sorted())
  }
}
