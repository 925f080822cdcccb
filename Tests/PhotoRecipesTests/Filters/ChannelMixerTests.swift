import Testing

@testable import PhotoRecipes

@Suite struct ChannelMixerTests {
  @Test func factorsThatAddUpToZeroCannotPreserveLuminosity() {
    var filter = ChannelMixer()
    (filter.green.red, filter.green.green) = (1, -1)
    #expect(filter.contradiction == nil)
    filter.preservesLuminosity = true
    #expect(filter.contradiction != nil)
    filter.green.blue = 0.2
    #expect(filter.contradiction == nil)
  }
}
