import SystemPackage
import Testing

@testable import PhotoBatch
@testable import PhotoStudio

@Suite struct PhotoStatesTests {
  private func outcome(_ reason: Reason, isDue: Bool = false) -> AssetOutcome {
    var outcome = AssetOutcome("a.jpg", reason)
    outcome.isDue = isDue
    return outcome
  }

  @Test func theStateOfAPhotoIsThatOfItsLatestOutcome() {
    let states = PhotoStates()
    #expect(states["a.jpg"] == nil)
    states.check(outcome(.rendered, isDue: true), after: states.changes)
    #expect(states["a.jpg"] == .due)
    states.run(outcome(.decoderCrash), after: states.changes)
    #expect(states["a.jpg"] == .failed)
    states.check(outcome(.rendered, isDue: true), after: states.changes)
    #expect(states["a.jpg"] == .failed, "a photo that failed stays marked as long as it is due")
    states.run(outcome(.rendered), after: states.changes)
    #expect(states["a.jpg"] == .done)
  }

  @Test func outcomesOfAnOlderEditAreIgnored() {
    let states = PhotoStates()
    let before = states.changes
    states.run(outcome(.rendered), after: before)
    states.forget()
    #expect(states["a.jpg"] == nil)
    states.check(outcome(.rendered, isDue: true), after: before)
    states.run(outcome(.rendered), after: before)
    #expect(states["a.jpg"] == nil)
    states.run(outcome(.rendered), after: states.changes)
    #expect(states["a.jpg"] == .done)
  }
}
