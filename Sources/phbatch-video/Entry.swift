import FilmCodecs
import Glibc
import PhotoBatch
import SystemPackage

/// The workers of `phbatch` that render films.
@main
enum Entry {
  static func main() {
    Worker.runIfAsked(films: LibavCodec())
    let message = "phbatch-video: this program is started by phbatch\nhint: run phbatch\n"
    _ = try? FileDescriptor.standardError.writeAll(message.utf8)
    exit(64)
  }
}
