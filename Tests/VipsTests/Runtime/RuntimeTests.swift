import Testing
import Vips

@Suite struct RuntimeTests {
  @Test func libvipsStartsAndStatesItsVersion() throws {
    try VipsRuntime.start()
    #expect(VipsRuntime.version.hasPrefix("8."))
  }

  @Test func operationsAreFoundByName() {
    #expect(VipsRuntime.hasOperation("flip"))
    #expect(!VipsRuntime.hasOperation("flop"))
  }

  /// The names of abstract classes are refused like unknown operations.
  ///
  /// GLib ends a process that creates an object of an abstract class; libvips does not list
  /// abstract classes as operations.
  @Test(arguments: ["operation", "arithmetic", "foreign", "foreignload", "", "…"])
  func abstractClassesAreNotOperations(_ name: String) {
    #expect(!VipsRuntime.hasOperation(name))
    #expect(throws: VipsError.unknownOperation(name)) { try Image.calling(name, [:]) }
  }

  @Test func refusedCallsLeaveNoErrorTextInLibvips() async {
    await #expect(processExitsWith: .success) {
      #expect(!VipsRuntime.hasOperation("flop"))
      #expect(throws: VipsError.self) { try Image.calling("flip", ["in": .number(1)]) }
      let image = try Image.ramp()
      #expect(image.field("nothing") == nil)
      #expect(throws: VipsError.self) {
        try image.applying("extract_area", ["left": .integer(-1), "top": .integer(0)])
      }
      #expect(VipsRuntime.takeErrorText() == nil)
      let loader = try Image.loader(for: Source(bytes: [1, 2, 3]))
      #expect(loader == nil && VipsRuntime.takeErrorText() == nil)
    }
  }

  @Test func theMemoryUsageCountsMaterializedImages() async {
    await #expect(processExitsWith: .success) {
      try VipsRuntime.start()
      let before = VipsRuntime.usage
      let image = try Image(
        samples: [UInt8](repeating: 1, count: 1 << 20), width: 1024, height: 1024, bands: 1
      ).applying("invert").materialized()
      let held = VipsRuntime.usage
      #expect(held.objects > before.objects && held.allocations > before.allocations)
      #expect(held.memory >= before.memory + 1 << 20)
      #expect(VipsRuntime.memoryHighWater >= held.memory)
      #expect(image.width == 1024)
    }
  }

  @Test func untrustedLoadersCanBeBlocked() async {
    await #expect(processExitsWith: .success) {
      let drawing = Array(#"<svg xmlns="http://www.w3.org/2000/svg" width="2" height="1"/>"#.utf8)
      let loader = "svgload_source"
      let found = try Image.loader(for: Source(bytes: drawing))
      #expect(found == loader)
      VipsRuntime.blockUntrusted()
      #expect(try Image.loader(for: Source(bytes: drawing)) == nil)
      #expect(VipsRuntime.hasOperation(loader))
      #expect(throws: VipsError.blockedOperation(loader)) {
        try Image.calling(loader, ["source": .source(Source(bytes: drawing))])
      }
      VipsRuntime.block("VipsForeignLoadSvg", false)
      #expect(try Image.load(from: Source(bytes: drawing)).width == 2)
      VipsRuntime.block("VipsForeignLoad", true)
      #expect(throws: VipsError.self) { try Image.load(from: Source(bytes: drawing)) }
    }
  }
}
