@main struct Wamptap { static func main() {} }
