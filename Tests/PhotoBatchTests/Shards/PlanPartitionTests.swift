import SystemPackage
import TestRandom
import Testing

@testable import PhotoBatch

@Suite struct PlanPartitionTests {
  private func pieces(_ seconds: [Double]) -> [PlanPartition.Piece] {
    seconds.enumerated().map {
      PlanPartition.Piece(folder: $0, seconds: $1, photos: 1, memory: 0)
    }
  }

  @Test func eachPartOfAPlanIsInExactlyOneShard() {
    var generator = SeededGenerator(seed: 7)
    for count in [1, 2, 3, 8, 64] {
      let seconds = (0..<200).map { _ in Double.random(in: 0...10, using: &generator) }
      let partition = PlanPartition(pieces(seconds), count: count)
      #expect(partition.shards.count == count)
      #expect(partition.shards.joined().map(\.folder).sorted() == Array(0..<200))
      let loads = partition.shards.map { $0.reduce(0) { $0 + $1.seconds } }
      // The greedy assignment gives no shard more than the mean and one piece.
      let mean = seconds.reduce(0, +) / Double(count)
      #expect(loads.max() ?? 0 <= mean + 10)
      #expect(partition.shards == PlanPartition(pieces(seconds), count: count).shards)
    }
  }

  @Test func onlyFoldersWithALargeShareOfTheTimeAreSplitBetweenShards() {
    #expect(PlanPartition.parts(seconds: 15, of: 100, shards: 10) == 1)
    #expect(PlanPartition.parts(seconds: 16, of: 100, shards: 10) == 2)
    #expect(PlanPartition.parts(seconds: 100, of: 100, shards: 10) == 10)
    #expect(PlanPartition.parts(seconds: 100, of: 100, shards: 1) == 1)
  }

  @Test func theNumberOfShardsFollowsFromTheWantedTimePerShard() {
    #expect(PlanPartition.usualCount(seconds: 0) == 1)
    #expect(PlanPartition.usualCount(seconds: 601) == 2)
    #expect(PlanPartition.usualCount(seconds: 1e9) == 1000)
    #expect(PlanPartition.count(seconds: 36_000, each: 1800, most: 10_000) == 20)
  }

  /// The expected numbers were computed with sha256sum; the assignment is the same on every
  /// machine.
  @Test func theShardOfAFolderFollowsFromTheHashOfItsName() {
    #expect(PlanPartition.part(of: "0.jpg", parts: 1) == 0)
    let (empty, abc): (UInt64, UInt64) = (0xe3b0_c442_98fc_1c14, 0xba78_16bf_8f01_cfea)
    #expect(PlanPartition.shard(ofFolder: "", count: 1000) == Int(empty % 1000))
    #expect(PlanPartition.shard(ofFolder: "abc", count: 1000) == Int(abc % 1000))
  }

  @Test func rangesOfShardNumbersHaveTheSyntaxOfSlurm() {
    #expect([Int]().ranges == "")
    #expect([3].ranges == "3")
    #expect([9, 0, 7, 8, 3].ranges == "0,3,7-9")
  }
}
