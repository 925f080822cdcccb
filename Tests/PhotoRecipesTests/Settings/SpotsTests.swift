import Notation
import Testing

@testable import PhotoRecipes

/// The list of spots of `heal`.
@Suite struct SpotsTests {
  private static func read(_ text: String) throws -> Result<Spots, Problem> {
    let json = try #require(JSONParser.parse(SourceText(name: "a", text: text)).json)
    return Spots.read(json, as: .spots)
  }

  private static func problem(_ spots: String) throws -> Problem? {
    switch try Self.read(spots) {
    case .success: nil
    case .failure(let problem): problem
    }
  }

  @Test func spotsAreReadAndWritten() throws {
    let text =
      #"[{"at":[0.25,1],"radius":"0.5%"},{"at":[0,0.5],"feather":0,"radius":12,"source":[0.1,0.2]}]"#
    let spots = try Self.read(text).get()
    #expect(
      spots.spots == [
        Spots.Spot(centre: Placement.Point(0.25, 1), radius: .percent(0.5)),
        Spots.Spot(
          centre: Placement.Point(0, 0.5), radius: .pixels(12), feather: 0,
          source: Placement.Point(0.1, 0.2)),
      ])
    #expect(spots.json?.compactText == text)
    #expect(try Self.read("[]").get() == Spots())
  }

  /// A problem names the spot, what is wrong with it, and the values that are allowed.
  @Test(
    arguments: [
      (#"{"at": [0.5, 0.5], "radius": 4}"#, "expected at most 200 spots"),
      (#"[[0.5, 0.5, 4]]"#, "expected at most 200 spots"),
      (#"[{"at": [0.5, 0.5], "radius": 4}, {"radius": 4}]"#, "spot 2 lacks the key 'at'"),
      (#"[{"at": [0.5, 0.5]}]"#, "spot 1 lacks the key 'radius'"),
      (#"[{"at": [0.5, 1.2], "radius": 4}]"#, #""at": [0.5,1.2] of spot 1 is out of range"#),
      (#"[{"at": [-0.1, 0.5], "radius": 4}]"#, "each number from 0 to 1"),
      (#"[{"at": [0.5], "radius": 4}]"#, "a position in the frame"),
      (#"[{"at": [0.5, 0.5], "radius": 0}]"#, #""radius": 0 of spot 1 is out of range"#),
      (#"[{"at": [0.5, 0.5], "radius": "0%"}]"#, "a number from 0.5 to 500 pixels"),
      (#"[{"at": [0.5, 0.5], "radius": 501}]"#, "a number from 0.5 to 500 pixels"),
      (#"[{"at": [0.5, 0.5], "radius": "11%"}]"#, #""radius": "11%" of spot 1"#),
      (#"[{"at": [0.5, 0.5], "radius": 4, "feather": 1.5}]"#, #""feather": 1.5 of spot 1"#),
      (#"[{"at": [0.5, 0.5], "radius": 4, "source": [2, 0]}]"#, #""source": [2,0] of spot 1"#),
      (#"[{"at": [0.5, 0.5], "radius": 4, "size": 3}]"#, "spot 1 has no key 'size'"),
    ])
  func anErrorNamesAnInvalidSpot(_ spots: String, _ words: String) throws {
    let message = try Self.problem(spots)?.message
    #expect(message?.contains(words) == true, "\(message ?? "taken")")
  }

  @Test func tooManySpotsAreRefused() throws {
    func list(_ count: Int) -> String {
      let spots = Array(repeating: #"{"at": [0.5, 0.5], "radius": 4}"#, count: count)
      return "[\(spots.joined(separator: ", "))]"
    }
    #expect(try Self.problem(list(200)) == nil)
    #expect(try Self.problem(list(201))?.message.contains("found 201 spots") == true)
  }

  /// The kernel receives positions as fractions of the frame, and the reach in rows.
  @Test func theKernelReceivesSpotsAsFractionsOfTheFrame() {
    let spots = Spots([
      Spots.Spot(centre: Placement.Point(0.25, 0.5), radius: .pixels(20)),
      Spots.Spot(
        centre: Placement.Point(0, 1), radius: .percent(1), feather: 0,
        source: Placement.Point(0.5, 0.25)),
    ])
    let size = Size(1000, 2000)
    let numbers = spots.numbers(in: size)
    #expect(numbers == [0.25, 0.5, 0.01, 0.25, -1, -1, 0, 1, 0.01, 0, 0.5, 0.25])
    // The second source is 1500 rows away, and has a radius of 20 pixels.
    #expect(SpotNumbers.reach(of: numbers, in: size) == 1500 + 60 + 17)
    #expect(SpotNumbers.reach(of: Array(numbers.prefix(6)), in: size) == 6 * 25 + 17)
    #expect(SpotNumbers.reach(of: [], in: size) == 0)
  }
}
