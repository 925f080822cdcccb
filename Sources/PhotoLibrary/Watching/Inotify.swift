import Glibc
import SystemCalls
public import SystemPackage

/// The folder events of the Linux kernel.
///
/// The events do not report changes by other machines and writes through mapped memory, and do not
/// name the process. Above a limit of the system, events are lost.
/// - Source: inotify(7).
public final class Inotify: FolderEvents {
  public let descriptor: OpenFile
  /// The watches that this queue may use; the limit of a user applies to all programs together.
  private let budget: WatchBudget

  /// Opens a queue of events.
  ///
  /// - Parameter limit: The maximum number of folders to watch; nil for three quarters of the
  ///   system's limit for a user, so that other programs keep some.
  /// - Throws: `.tooManyOpenFiles` above the limit of such queues.
  public init(limit: Int? = nil) throws(Errno) {
    let events = phbatch_open_events()
    guard events >= 0 else { throw Errno(rawValue: -events) }
    descriptor = OpenFile(FileDescriptor(rawValue: events), "inotify")
    budget = WatchBudget(limit: limit ?? InotifyLimits.watches.map { $0 / 4 * 3 } ?? .max)
  }

  public func watch(_ folder: OpenFile) throws(Errno) -> Int32 {
    let number = descriptor.withDescriptor { events in
      folder.withDescriptor { phbatch_watch_folder(events.rawValue, $0.rawValue) }
    }
    guard number >= 0 else { throw Errno(rawValue: -number) }
    guard budget.take(number) else {
      remove(number)
      throw .noSpace
    }
    return number
  }

  public func unwatch(_ number: Int32) {
    budget.giveBack(number)
    remove(number)
  }

  private func remove(_ number: Int32) {
    descriptor.withDescriptor { phbatch_unwatch_folder($0.rawValue, number) }
  }

  public func take() -> FolderChanges {
    var changes = FolderChanges()
    var buffer = [UInt64](repeating: 0, count: 8_192)
    while true {
      let filled = unsafe buffer.withUnsafeMutableBytes { bytes in
        descriptor.withDescriptor {
          unsafe phbatch_read_events($0.rawValue, bytes.baseAddress, bytes.count)
        }
      }
      if filled == 0 { return changes }
      guard filled > 0 else {
        // An event that cannot be decoded is treated as lost.
        changes.isIncomplete = true
        return changes
      }
      unsafe buffer.withUnsafeBytes { bytes in
        var offset = 0
        while offset < filled {
          var event = unsafe phbatch_event()
          offset = unsafe phbatch_next_event(bytes.baseAddress, offset, &event)
          unsafe note(event, &changes)
        }
      }
    }
  }

  private func note(_ event: phbatch_event, _ changes: inout FolderChanges) {
    func has(_ kind: phbatch_event_kind) -> Bool { unsafe event.kinds & kind.rawValue != 0 }
    if has(phbatch_event_lost) { changes.isIncomplete = true }
    let number = unsafe event.watch
    if has(phbatch_event_end) { budget.giveBack(number) }
    if has(phbatch_event_end) || has(phbatch_event_self) { changes.ended.insert(number) }
    if has(phbatch_event_entry) || has(phbatch_event_folder) { changes.folders.insert(number) }
    if has(phbatch_event_folder), let name = unsafe event.name {
      let bytes = unsafe UnsafeRawBufferPointer(start: name, count: strlen(name))
      changes.subfolders[number, default: []].insert(FileName(bytes: unsafe Array(bytes)[...]))
    }
  }
}
