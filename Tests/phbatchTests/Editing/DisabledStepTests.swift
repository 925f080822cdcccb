import TestSupport
import Testing

/// `phbatch adjust` on steps that are off.
@Suite struct DisabledStepTests {
  private let place: Workplace
  private var photo: String { place.path("photos/a.jpg") }

  init() throws { place = try Workplace() }

  private func recipe(_ filters: String) throws {
    try place.folder.write(
      """
      {
        "identifier": "org.example.off", "version": "1.0.0", "filters": [ \(filters) ],
        "outputs": [ { "name": "web", "format": "png" } ]
      }
      """, to: "recipe.json")
    #expect(try place.reasons().reasons == ["a.jpg": "rendered"])
  }

  private func adjust(_ arguments: String...) throws -> CommandResult {
    try Command.run(["adjust", photo] + arguments)
  }

  private static let crop = #"{ "filter": "crop", "enabled": false }, { "filter": "sepia" }"#

  /// `--crop` enables its step if the recipe or an earlier `adjust` has switched it off.
  @Test(arguments: [false, true]) func aCropSwitchesItsStepOn(_ isOffForThePhoto: Bool) throws {
    try recipe(isOffForThePhoto ? #"{ "filter": "crop", "width": 0.9 }"# : Self.crop)
    if isOffForThePhoto { #expect(try adjust("--disable", "crop").code == 0) }
    let adjusted = try adjust("--crop", "0.5,0,0.5,1")
    #expect(adjusted.code == 0, "\(adjusted.messages)")
    #expect(adjusted.output.contains("crop.enabled = true"), "\(adjusted.output)")
    #expect(try place.reasons().reasons == ["a.jpg": "rendered"])
    #expect(try Samples(file: place.read("a.web.png")).width == 30)
    let disabled = try adjust("--crop", "0.1,0,0.5,1", "--disable", "crop")
    #expect(disabled.code == 0, "\(disabled.messages)")
    #expect(try place.reasons().reasons == ["a.jpg": "rendered"])
    #expect(try Samples(file: place.read("a.web.png")).width == 60)
  }

  @Test func aCropOfAStepThatIsOnSwitchesNothing() throws {
    try recipe(#"{ "filter": "crop" }"#)
    #expect(!(try adjust("--crop", "0,0,0.5,1").output.contains("enabled")))
  }

  /// A setting of a step that is off is stored, but nothing has to be rendered for it.
  @Test func aSettingOfAStepThatIsOffIsNotDue() throws {
    try recipe(Self.crop)
    let adjusted = try adjust("--set", "crop.left=0.5")
    #expect(adjusted.code == 0, "\(adjusted.messages)")
    #expect(adjusted.output.hasPrefix("a.jpg: skipped"), "\(adjusted.output)")
    #expect(adjusted.output.contains("until --enable crop"), "\(adjusted.output)")
    #expect(try place.reasons().reasons == ["a.jpg": "up-to-date"])
    let why = try Command.run(["status", place.library, "--why"]).output
    #expect(!why.contains("adjusted"), "\(why)")
    // Another setting of the same command is rendered.
    let both = try adjust("--set", "crop.left=0.4", "--set", "sepia.intensity=0.5")
    #expect(both.output.contains("the next run renders it"), "\(both.output)")
    #expect(both.output.contains("until --enable crop"), "\(both.output)")
    #expect(try place.reasons().reasons == ["a.jpg": "rendered"])
    #expect(try adjust("--enable", "crop").output.contains("the next run renders it"))
    #expect(try place.reasons().reasons == ["a.jpg": "rendered"])
    #expect(try Samples(file: place.read("a.web.png")).width == 36)
  }

  /// A setting with the recipe's value changes no rendition; its removal may.
  @Test func aSettingWithTheValueOfTheRecipeIsNotDue() throws {
    try recipe(#"{ "filter": "exposure", "stops": 0.5 }"#)
    #expect(try adjust("--set", "exposure.stops=0.5").output.contains("stay the same"))
    #expect(try place.reasons().reasons == ["a.jpg": "up-to-date"])
    #expect(try adjust("--set", "exposure.stops=1").output.contains("the next run renders it"))
    #expect(try place.reasons().reasons == ["a.jpg": "rendered"])
    #expect(try adjust("--unset", "exposure.stops").output.contains("the next run renders it"))
    #expect(try place.reasons().reasons == ["a.jpg": "rendered"])
  }

  /// A step that is off may be switched on later, when the run would not have opened the file.
  @Test(arguments: [false, true]) func aStepThatIsOffCannotNameAFile(_ isOffInRecipe: Bool) throws {
    let off = isOffInRecipe ? #", "enabled": false"# : ""
    try recipe(#"{ "filter": "exposure", "stops": 1\#(off) }"#)
    if !isOffInRecipe { #expect(try adjust("--disable", "exposure").code == 0) }
    let mask = #"exposure.mask={"image":{"file":"/etc/x.png"}}"#
    for more in [[], ["--recipe", place.path("recipe.json")]] {
      let refused = try Command.run(["adjust", photo, "--set", mask] + more)
      #expect(refused.code == 65)
      #expect(refused.messages.contains("needs the file '/etc/x.png'"), "\(refused.messages)")
    }
    // Other settings of the step are its own.
    #expect(try adjust("--set", "exposure.stops=2").code == 0)
  }

  /// A file of the recipe's own step is no file of the photo.
  @Test func aStepThatIsOffMayHaveItsOwnFile() throws {
    try place.folder.write(SyntheticPhoto.png(width: 8, height: 8), to: "mask.png")
    let mask = #""mask": { "image": { "file": "mask.png" } }"#
    try recipe(#"{ "filter": "exposure", "stops": 1, "enabled": false, \#(mask) }"#)
    let adjusted = try adjust("--set", "exposure.stops=2")
    #expect(adjusted.code == 0, "\(adjusted.messages)")
    #expect(try adjust("--disable", "exposure").code == 0)
  }
}
