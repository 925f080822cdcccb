import Testing

@testable import PhotoBatch

/// The time that a large photo or a slow encoder gets in addition to the time limit `--timeout`.
@Suite struct RenderingTimeTests {
  @Test func photosOfUpToAHundredMegapixelsGetNoAdditionalTime() {
    for megapixels in [0, 24, 100.0] {
      #expect(RenderingTime.more(megapixels: megapixels, encodingSeconds: 0) == .zero)
    }
  }

  @Test func theAdditionalTimesForLargePhotosAndSlowEncodersAddUp() {
    #expect(RenderingTime.more(megapixels: 250, encodingSeconds: 0) == .seconds(150))
    #expect(RenderingTime.more(megapixels: 50, encodingSeconds: 660) == .seconds(660))
    #expect(RenderingTime.more(megapixels: 110, encodingSeconds: 5.5) == .seconds(15.5))
  }

  /// The additional time for slow encoders is proportional to `--timeout`.
  @Test func theAdditionalTimeForEncodersIsProportionalToTheTimeout() {
    let more = RenderingTime.more(megapixels: 110, encodingSeconds: 60, besides: .seconds(30))
    #expect(more == .seconds(25))
  }

  /// A worker gets at most six additional hours, even if it states a huge photo size or encoding
  /// time, as a worker that a hostile photo controls could.
  @Test func aWorkerGetsAtMostSixAdditionalHours() {
    for number in [1e9, 1e300, .infinity] {
      #expect(
        RenderingTime.more(megapixels: number, encodingSeconds: 0) == RenderingTime.longest)
      #expect(
        RenderingTime.more(megapixels: 0, encodingSeconds: number) == RenderingTime.longest)
    }
  }

  @Test func negativeAndUndefinedTimesAreTreatedAsZero() {
    for number in [-1e300, -5, .nan] {
      #expect(RenderingTime.more(megapixels: number, encodingSeconds: number) == .zero)
    }
  }
}
