/// The part of a run's work that is to be done now.
struct BatchShare: Sendable {
  /// Of the photos on which something is to be decided, those to look at; nil: all.
  var choose: (@Sendable ([Asset]) -> [Asset])?
  /// After which no photo is begun; nil: none.
  var time: Duration?
  /// Whether edits may be dropped that a person made; nil: as the options say.
  var mayDiscard: Bool?
  /// Called now and then while another run has the library.
  var whileWaiting: @Sendable () -> Void = {}
}
