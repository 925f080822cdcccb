import TestSupport
import Testing

/// A library of three photos, with a function for each operation on it.
struct EditStory {
  let place: Workplace
  let originals: [String: [UInt8]]

  init(_ photos: [String] = ["a.jpg", "b.jpg", "trip/c.png"]) throws {
    let place = try Workplace(photos)
    self.place = place
    originals = try Dictionary(uniqueKeysWithValues: photos.map { ($0, try place.read($0)) })
  }

  func recipe(
    _ name: String, _ version: String = "1.0.0", stops: Double, saturation: Double = 0,
    variant: String? = nil, from: String? = nil
  ) throws {
    let place = [variant.map { "\"variant\": \"\($0)\"," }, from.map { "\"from\": \"\($0)\"," }]
    try self.place.folder.write(
      """
      {
        "identifier": "org.example.\(name)", "version": "\(version)",
        \(place.compactMap(\.self).joined(separator: " "))
        "filters": [
          { "filter": "exposure", "stops": \(stops) },
          { "filter": "saturation", "amount": \(saturation) }
        ],
        "outputs": [ { "name": "\(name)", "format": "png" } ]
      }
      """, to: "\(name).json")
  }

  /// Runs a recipe and returns the reason for each photo.
  func night(_ recipe: String, _ more: String...) throws -> [String: String] {
    let command = ["run", place.path("\(recipe).json"), place.library, "--format", "json"]
    return try Command.run(command + more).reasons
  }

  func all(_ reason: String) -> [String: String] {
    Dictionary(uniqueKeysWithValues: originals.keys.map { ($0, reason) })
  }

  func command(_ arguments: String...) throws -> CommandResult {
    try Command.run(arguments)
  }

  func path(_ photo: String) -> String { place.path("photos/\(photo)") }

  func history(_ photo: String) throws -> String {
    try Command.run(["history", path(photo)]).output
  }

  func expectOriginalsUntouched() throws {
    for (name, bytes) in originals { #expect(try place.read(name) == bytes) }
  }
}
