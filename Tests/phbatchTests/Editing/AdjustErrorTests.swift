import TestSupport
import Testing

/// The messages of `phbatch adjust` for wrong options.
@Suite struct AdjustErrorTests {
  private let place: Workplace
  private var photo: String { place.path("photos/a.jpg") }

  init() throws { place = try Workplace() }

  private func adjust(_ arguments: String...) throws -> CommandResult {
    try Command.run(["adjust", photo] + arguments)
  }

  /// A stack of two edits; only the lower one has the step `exposure`.
  private func makeStack() throws {
    try place.recipe("below", variant: nil)
    #expect(try place.run("below").code == 0)
    try place.folder.write(
      """
      {
        "identifier": "org.example.above", "version": "1.0.0", "filters": [ { "filter": "sepia" } ],
        "outputs": [ { "name": "final", "format": "jpeg" } ]
      }
      """, to: "above.json")
    #expect(try place.run("above").code == 0)
  }

  @Test func aCropWithoutACropStepIsOneError() throws {
    try place.recipe()
    #expect(try place.run().code == 0)
    let refused = try adjust("--crop", "0,0,1,1")
    #expect(refused.code == 65)
    #expect(
      refused.messages == """
        a.jpg: invalid-settings (--crop:1:1: error: there is no step or output 'crop')
            | 0,0,1,1
            | ^
            hint: use one of: exposure, web
          hint: the newest edit, by org.example.recipe 1.0.0, was addressed; --recipe names the \
        recipe of another one

        """)
    let disabled = try adjust("--disable", "vignette")
    #expect(disabled.messages.contains("--disable:1:1: error: there is no step"))
    #expect(disabled.messages.contains("  | vignette\n"))
  }

  @Test func aSettingOfTheEditBelowNamesTheEditThatWasAddressed() throws {
    try makeStack()
    let addressed = "the newest edit, by org.example.above 1.0.0, was addressed; --recipe"
    let refused = try adjust("--set", "exposure.stops=0.9")
    #expect(refused.code == 65)
    #expect(refused.messages.contains(addressed), "\(refused.messages)")
    let unset = try adjust("--unset", "exposure.stops")
    #expect(unset.code == 64)
    #expect(
      unset.messages.contains("hint: it has no settings of its own; \(addressed)"),
      "\(unset.messages)")
    let recipe = place.path("below.json")
    #expect(try adjust("--set", "exposure.stops=0.9", "--recipe", recipe).code == 0)
    let other = try adjust("--unset", "exposure.opacity", "--recipe", recipe)
    #expect(other.messages.hasSuffix("hint: its own settings: exposure.stops\n"))
    // A wrong value is not an error of the choice of the edit.
    #expect(!(try adjust("--set", "sepia.opacity=9").messages.contains("addressed")))
  }

  @Test(arguments: [
    (["--only", "exposure"], "name their photo with --from"),
    (["--crop", "1,2,3"], "--crop needs four values"),
    (["--focal-point", "3,4"], "--focal-point needs two numbers"),
  ])
  func wrongOptionsEndWithTheUsageOfAdjust(_ arguments: [String], _ message: String) throws {
    let result = try Command.run(["adjust", photo] + arguments)
    #expect(result.code == 64)
    #expect(result.messages.contains(message), "\(result.messages)")
    #expect(result.messages.contains("Usage: phbatch adjust "), "\(result.messages)")
    #expect(result.messages.contains("See 'phbatch adjust --help'"), "\(result.messages)")
  }
}
