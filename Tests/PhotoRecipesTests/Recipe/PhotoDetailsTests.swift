import Testing

@testable import PhotoRecipes

/// Facts about a photo, formatted for the texts that filters draw.
@Suite struct PhotoDetailsTests {
  private static func text(
    _ name: String, _ path: WritableKeyPath<PhotoDetails, Double?>, _ number: Double
  ) -> String? {
    var details = PhotoDetails()
    details[keyPath: path] = number
    return details.texts[name]
  }

  @Test func theExposureIsFormatted() {
    for (seconds, shown): (Double, String?) in [
      (0.004, "1/250 s"), (1 / 8000.0, "1/8000 s"), (0.25, "1/4 s"), (0.3, "0.3 s"), (0.5, "0.5 s"),
      (1, "1 s"), (1.3, "1.3 s"), (30, "30 s"), (0, nil), (-1, nil),
    ] {
      #expect(Self.text("shutter", \.exposureTime, seconds) == shown)
    }
    for (number, shown): (Double, String?) in [
      (2.8, "f/2.8"), (1.7999, "f/1.8"), (11, "f/11"), (0.95, "f/0.95"), (0, nil),
    ] {
      #expect(Self.text("aperture", \.aperture, number) == shown)
    }
    for (number, shown): (Double, String?) in [(35, "35 mm"), (4.25, "4.3 mm"), (0, nil)] {
      #expect(Self.text("focalLength", \.focalLength, number) == shown)
    }
    #expect(Self.text("sensitivity", \.sensitivity, 200) == "ISO 200")
    #expect(Self.text("iso", \.sensitivity, 200) == "200")
  }

  @Test func theDescriptionReplacesAMissingTitle() {
    var details = PhotoDetails()
    details.description = "A dog"
    #expect(details.texts["description"] == "A dog" && details.texts["title"] == "A dog")
    details.title = "Dog"
    #expect(details.texts["description"] == "A dog" && details.texts["title"] == "Dog")
  }

  /// Each fact about the photo can be inserted into a text by a placeholder.
  @Test func placeholdersOfAllFactsAreReplaced() throws {
    var details = PhotoDetails()
    (details.camera, details.lens, details.date) = ("a", "b", "2000-01-01T00:00:00")
    (details.title, details.description, details.creator) = ("a", "b", "c")
    (details.copyright, details.keywords) = ("a", ["b"])
    (details.aperture, details.exposureTime, details.focalLength) = (2, 1, 35)
    (details.sensitivity, details.rating) = (200, 3)
    for name in details.texts.keys { _ = try TextTemplate("{\(name)}") }
  }
}
