/** Names under which people keep what nobody else may read. */
const SECRET_NAME =
  /token|secret|passw|pwd|api.?key|apikey|access.?key|private.?key|credential|authorization|auth$|cookie|session|signature|^key$|_key$/i

/** Keys of well-known services by their shape: Hugging Face, OpenAI and others, GitHub, Slack, AWS, Google, JWT. */
const SECRET_SHAPE =
  /\b(?:hf_[A-Za-z0-9]{8,}|sk-[A-Za-z0-9_-]{8,}|gh[opusr]_[A-Za-z0-9]{16,}|github_pat_\w{16,}|glpat-[\w-]{12,}|xox[abeprs]-[\w-]{8,}|AKIA[A-Z0-9]{12,}|AIza[\w-]{20,}|eyJ[\w-]{8,}\.[\w-]+\.[\w-]*)|\b(?:Bearer|Basic)\s+\S{6,}/i

/** Long, without a word's or a path's look, letters and digits mixed. */
const looksRandom = (value: string): boolean =>
  /^[A-Za-z0-9+/=_-]{24,}$/.test(value) && /[0-9]/.test(value) && /[A-Za-z]/.test(value) && !/[/\\].*[/\\]/.test(value)

/** Whether a value of this name is taken for a secret. A wrong yes costs some typing, a wrong no a secret in a file. */
export const isSecret = (name: string, value: string): boolean =>
  value !== '' && (SECRET_NAME.test(name) || SECRET_SHAPE.test(value) || looksRandom(value))

/** Whether a text holds something of a secret's shape, whatever it is called. */
export const holdsSecret = (text: string): boolean => SECRET_SHAPE.test(text)

export const isSecretName = (name: string): boolean => SECRET_NAME.test(name)
