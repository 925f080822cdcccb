import Notation
import PhotoRecipes

/// The first message to a worker: its scratch folder and its limits.
package struct WorkerSetup: Sendable, Hashable {
  /// An absolute path: the only folder that the worker may write to.
  package var scratch: String
  /// True if texts may be drawn: the worker can then read the fonts of the system.
  package var needsFonts = false
  /// The maximum number of bytes that the worker may map.
  ///
  /// This limit is much larger than the memory that a photo is granted, because the coordinator
  /// watches the granted memory.
  package var addressSpace = 16 << 30
  /// The maximum size in bytes of a file that the worker writes.
  package var fileBytes = 16 << 30
  /// The maximum processor time, in seconds, of all threads of the worker during its whole life.
  package var processorSeconds = 24 * 3600
  /// The maximum number of open files of the worker.
  package var openFiles = 512

  package init(scratch: String, needsFonts: Bool = false) {
    self.scratch = scratch
    self.needsFonts = needsFonts
  }
}

extension WorkerSetup {
  var json: JSON {
    .object([
      "scratch": .string(scratch), "needsFonts": .bool(needsFonts),
      "addressSpace": .integer(addressSpace), "fileBytes": .integer(fileBytes),
      "processorSeconds": .integer(processorSeconds), "openFiles": .integer(openFiles),
    ])
  }

  init?(_ json: JSON) {
    guard let scratch = json["scratch"]?.string, let needsFonts = json["needsFonts"]?.bool,
      let addressSpace = json["addressSpace"]?.integer,
      let fileBytes = json["fileBytes"]?.integer,
      let processorSeconds = json["processorSeconds"]?.integer,
      let openFiles = json["openFiles"]?.integer
    else { return nil }
    self.init(scratch: scratch, needsFonts: needsFonts)
    self.addressSpace = addressSpace
    self.fileBytes = fileBytes
    self.processorSeconds = processorSeconds
    self.openFiles = openFiles
  }
}
