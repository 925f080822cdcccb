import FileStructure
import Testing

@testable import PhotoRender

struct MovieTimecodeTests {
  private static let drops = 1
  private static let endsAfterDay = 2

  private func timecode(
    flags: Int, scale: Int, duration: Int, rate: UInt8
  ) throws -> MovieTimecode {
    func word(_ number: Int) -> [UInt8] { ByteOrder.big.bytes(number, 4) }
    let entry =
      Array("tmcd".utf8) + [0, 0, 0, 0, 0, 0, 0, 1] + word(0) + word(flags)
      + word(scale) + word(duration) + [rate, 0]
    let table = Box.bytes("stsd", word(0) + word(1) + word(entry.count + 4) + entry)
    return try #require(MovieTimecode(table))
  }

  private func number(_ timecode: MovieTimecode, _ start: Int, after seconds: Double) -> Int? {
    timecode.sample(ByteOrder.big.bytes(start, 4), after: seconds)?.number(0, 4)
  }

  @Test func framesAreCountedWithTheRateOfTheTimecode() throws {
    let film = try timecode(flags: 0, scale: 24000, duration: 1001, rate: 24)
    #expect(number(film, 100, after: 1001.0 / 1000) == 124)
    // A track with 600 units in a second rounds the time of a frame.
    #expect(number(film, 100, after: 25.0 / 600) == 101)
    #expect(number(film, 25 * 86400, after: 1001) == 25 * 86400 + 24000)
    #expect(film.sample([1, 2], after: 1) == nil)
    #expect(number(film, 0, after: .infinity) == nil)
  }

  /// Drop frame leaves out 2,592 of the numbers of a day at 30 frames per second.
  @Test func aTimecodeOfADayBeginsAgain() throws {
    let whole = try timecode(flags: Self.endsAfterDay, scale: 25, duration: 1, rate: 25)
    #expect(number(whole, 25 * 86400 - 5, after: 0.4) == 5)
    let flags = Self.drops | Self.endsAfterDay
    let dropping = try timecode(flags: flags, scale: 30000, duration: 1001, rate: 30)
    #expect(number(dropping, 30 * 86400 - 2592 - 1, after: 0) == 30 * 86400 - 2592 - 1)
    #expect(number(dropping, 30 * 86400 - 2592 - 1, after: 1001.0 / 30000) == 0)
  }

  @Test func otherDescriptionsAreNoTimecode() throws {
    #expect(MovieTimecode([]) == nil)
    #expect(MovieTimecode(Box.bytes("stsd", Array(repeating: 0, count: 60))) == nil)
  }
}
