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
    #expect(states["a.jpg"]?.state == .due)
    states.run(outcome(.decoderCrash), after: states.changes)
    #expect(states["a.jpg"]?.state == .failed)
    states.check(outcome(.rendered, isDue: true), after: states.changes)
    #expect(
      states["a.jpg"]?.state == .failed, "a photo that failed stays marked as long as it is due")
    states.run(outcome(.rendered), after: states.changes)
    #expect(states["a.jpg"]?.state == .done)
  }

  @Test func photosThatARunDoesNotRenderHaveTheReason() {
    let states = PhotoStates()
    var film = outcome(.unsupportedFormat)
    film.detail = "an MP4 video"
    states.check(film, after: states.changes)
    #expect(states["a.jpg"]?.state == .unsupported)
    #expect(states["a.jpg"]?.detail == "an MP4 video")
    states.check(outcome(.notSelected), after: states.changes)
    #expect(states["a.jpg"]?.state == .left)
    #expect(states["a.jpg"]?.detail == "not-selected")
    states.check(outcome(.upToDate), after: states.changes)
    #expect(states["a.jpg"]?.state == .done)
    #expect(states["a.jpg"]?.detail == nil)
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
    #expect(states["a.jpg"]?.state == .done)
  }
}
