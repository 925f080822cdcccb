/// The parts of a commit that survive a power failure.
///
/// All levels make their calls in the same order: at every level, a process that is killed leaves
/// each photo either all old or all new.
public enum Durability: String, Sendable, Hashable, CaseIterable {
  /// Every change, including the removal of displaced files, is saved before `publish` returns.
  case full
  /// Every published file is saved. A power failure may bring displaced files and the journal back;
  /// the next recovery removes them.
  case batch
  /// No change is saved: for tests, and for folders that can be rendered again.
  case none
}
