import Dispatch
import Synchronization

extension Array where Element: Sendable {
  /// Returns the results of `body` for all elements, in the order of the elements.
  ///
  /// All cores work at the same time, each on `portion` elements at a time.
  func mappedOnAllCores<Mapped: Sendable>(
    portion: Int = 64, _ body: @Sendable (Element) -> Mapped
  ) -> [Mapped] {
    let portions = (count + portion - 1) / portion
    let done = Mutex<[Int: [Mapped]]>([:])
    DispatchQueue.concurrentPerform(iterations: portions) { index in
      let mapped = self[(index * portion)..<Swift.min((index + 1) * portion, count)].map(body)
      done.withLock { $0[index] = mapped }
    }
    let found = done.withLock { $0 }
    return (0..<portions).flatMap { found[$0] ?? [] }
  }
}
