import Dispatch
import Synchronization

/// Runs an asynchronous function and blocks the calling thread until it ends.
///
/// The threads of connections may be blocked; threads of Swift's own pool must not call this.
func waiting<Result: Sendable>(
  _ body: @escaping @Sendable () async throws -> Result
) throws -> Result {
  let end = DispatchSemaphore(value: 0)
  let box = Box<Result>()
  Task {
    do {
      let value = try await body()
      box.result.withLock { $0 = .success(value) }
    } catch {
      box.result.withLock { $0 = .failure(error) }
    }
    end.signal()
  }
  end.wait()
  guard let result = box.result.withLock({ $0 }) else { throw CancellationError() }
  return try result.get()
}

private final class Box<Value: Sendable>: Sendable {
  let result = Mutex<Result<Value, any Error>?>(nil)
}
