import Notation
import PhotoBatch
import PhotoRecipes
import Synchronization
import SystemPackage

extension StudioSession {
  /// The recipe's file, compared with the edit.
  enum RecipeOnDisk: Sendable {
    /// No other program has changed it.
    case same
    /// Another program has changed it, and the edit has its version now.
    case taken
    /// Another program has changed it, but the edit keeps its own version.
    case other(Refusal)
  }

  /// Takes the recipe's file over if another program has changed it, as a change that `undo` takes back.
  ///
  /// The edit keeps its version if it has changed the recipe, too, or if it cannot use the file's.
  ///
  /// - Throws: `Refusal` if the studio has ended, or if the library cannot be read again.
  func follow() throws(Refusal) -> RecipeOnDisk {
    let found = try changing.withLock { _ throws(Refusal) in
      try checkOpen()
      return foundDraft == nil ? takeFile() : .same
    }
    guard case .taken = found else { return found }
    do { try reload(only: []) } catch { throw Refusal(unread: error) }
    return found
  }

  /// Reads a photo's sidecar again if another program has changed it.
  ///
  /// Unsaved settings of the photo stay; then a save compares them with those of the sidecar.
  ///
  /// - Returns: True if the photo has other settings of its own now.
  func follow(photo: Int) throws(Refusal) -> Bool {
    let now = now
    guard now.own[photo] == nil, library.hasOtherSidecar(photo) else { return false }
    let before = library.own(photo, for: now.recipe)
    // A save reads the sidecars that it writes.
    let isRead = saving.withLockIfAvailable { _ in Result { try reload(only: [photo]) } }
    do { try isRead?.get() } catch { throw Refusal(unread: error) }
    guard library.own(photo, for: now.recipe) != before else { return false }
    change { $0.touched.insert(photo) }
    return true
  }

  private func takeFile() -> RecipeOnDisk {
    let file: [UInt8]
    do { file = try RecipeFile(options.recipe).read() } catch {
      return .other(
        Refusal(
          409,
          "the recipe's file cannot be read: \((error as? any UserError)?.message ?? "\(error)")",
          hint: "the page keeps the version that it has read; put the file back"))
    }
    let (before, onDisk) = (present([]), state.withLock { $0.onDisk })
    if file == onDisk { return takeBase(before) }
    if before.text.bytes != onDisk && before.text.bytes != file {
      return .other(Refusal(changed: options.recipe, onDisk: file, mine: before.text))
    }
    var moment = before
    moment.text = RecipeText(file)
    do throws(Refusal) {
      let after = try checked(moment, before)
      change { state in
        state.onDisk = file
        state.undrafted.isWhole = true
        if after.text == before.text { return }
        state.history.add(from: before, to: after, "Change of the file")
        state.settle(after, since: before, library)
      }
      return .taken
    } catch {
      return .other(
        Refusal(
          409,
          "the page does not show the recipe's file, which another program has changed: "
            + error.message,
          hint: error.hint.isEmpty ? "mend the file, or open the studio again" : error.hint))
    }
  }

  /// Reads the recipes again that the edit's recipe extends.
  private func takeBase(_ before: Moment) -> RecipeOnDisk {
    do {
      let after = try reread(before, since: before)
      if after.document.tree == before.document.tree { return .same }
      change { state in state.history.replacePresent(after) }
      return .taken
    } catch {
      let known = error as? any UserError
      return .other(
        Refusal(
          409,
          "the recipe, or one that it extends, cannot be read again: "
            + (known?.message ?? "\(error)"),
          hint: "the page keeps the version that it has read; mend the file"))
    }
  }
}
