extension PhotoPlanner {
  /// Plans the photo, and adds the plans for the other values of `--previous`, as if the options
  /// allowed dropping edits.
  func planWithAlternatives() throws(PhotoFailure) -> PhotoPlan {
    var plan = try plan().plan
    for policy in [PreviousPolicy.resume, .replace, .stack] {
      var other = self
      other.context.edit.options.previous = policy
      other.context.edit.options.mayDiscard = true
      do throws(PhotoFailure) { plan.alternatives[policy] = try other.plan().plan } catch {
        if error.isCancelled { throw error }
        plan.alternatives[policy] = PhotoPlan(asset.path, error)
      }
    }
    return plan
  }
}
