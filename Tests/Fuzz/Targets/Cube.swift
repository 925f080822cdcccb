import Notation
import PhotoRecipes

extension FuzzTarget {
  /// A `.cube` lookup table; if the table can be read, a colour is looked up in it.
  static let cube = FuzzTarget("cube") { bytes in
    do throws(InvalidDocument) {
      let table = try LookupFile(name: "a.cube", bytes: bytes).table()
      if let cube = table.cube { _ = cube(.init(0.2, 1, -3)) }
    } catch {
      _ = error.message
    }
  }
}
