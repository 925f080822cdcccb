/// A part of a run's work.
struct BatchShare: Sendable {
  /// Selects among the photos that must be planned; nil for all.
  var choose: (@Sendable ([Asset]) -> [Asset])?
  /// The time after which no photo is begun; nil for no limit.
  var time: Duration?
  /// True if edits made by a person may be dropped; nil uses the value of the options.
  var mayDiscard: Bool?
  /// Called repeatedly while another run holds the library's lock.
  var whileWaiting: @Sendable () -> Void = {}
}
