export function packagedExecutable(): string | null
