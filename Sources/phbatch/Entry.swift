import PhotoBatch

/// A worker is this same program, started again: it must take its own way before anything else.
@main
enum Entry {
  static func main() async {
    Worker.runIfAsked()
    await Phbatch.start()
  }
}
