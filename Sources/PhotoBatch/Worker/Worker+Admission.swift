import PhotoRecipes
import PhotoRender
import Vips

extension Worker {
  /// Returns to the kernel memory that earlier requests freed, because it would count as memory of
  /// this request.
  static func releaseMemory(for needs: MemoryNeeds) {
    VipsRuntime.releaseFreedMemory(beyond: (needs.usual - MemoryNeeds.idle) / 8 * 7)
  }

  /// Reports a photo's predicted memory to the coordinator, and waits for the photo's allowance.
  static func admission(
    _ header: PhotoHeader, _ encodingSeconds: Double, _ needs: MemoryNeeds, _ channel: Channel
  ) -> Allowance {
    admission(
      megapixels: Double(header.size.pixels) / 1e6, encodingSeconds, needs, channel)
  }

  static func admission(
    megapixels: Double, _ encodingSeconds: Double, _ needs: MemoryNeeds, _ channel: Channel
  ) -> Allowance {
    let reply = WorkerReply.begun(
      megapixels: megapixels, encodingSeconds: encodingSeconds, needs)
    do throws(Channel.Failure) {
      try channel.send(reply.json)
      return Allowance(try channel.receive().message)
    } catch {
      // The coordinator has ended, so this process ends too, and the result does not matter.
      return Allowance(threads: 1, spills: false)
    }
  }
}
