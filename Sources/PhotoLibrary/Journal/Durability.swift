/// The parts of a commit that survive a power failure.
///
/// The order of the calls is the same in all: whatever the level, a process that is killed leaves
/// every photo all old or all new.
public enum Durability: String, Sendable, Hashable, CaseIterable {
  /// Everything, the removal of what was displaced included, before `publish` returns.
  case full
  /// Everything that was published. What a power failure brings back of displaced files and of the
  /// journal, the next recovery removes again.
  case batch
  /// Nothing: for tests and for folders that can be made again.
  case none
}
