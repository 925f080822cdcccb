import PhotoBatch
import SystemCalls

/// A worker is this same program, started again: it must take its own way before anything else.
@main
enum Entry {
  static func main() async {
    Worker.runIfAsked()
    giveFreedMemoryBack()
    await Phbatch.start()
  }

  /// A watch lives for years: what the first look at a large library took must not stay with it.
  private static func giveFreedMemoryBack() {
    _ = phbatch_limit_arenas(2)
    _ = phbatch_map_blocks_from(256 << 10)
  }
}
