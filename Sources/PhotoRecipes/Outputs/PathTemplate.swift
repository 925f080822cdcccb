enum PathTemplate { static func problem(in path: String) -> Problem? { nil } }
