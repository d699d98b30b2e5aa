import { EditorView } from '@codemirror/view'

/** The editors' look; every value is one of the interface's, so that both themes come for free. */
export const editorTheme = EditorView.theme({
  '&': { height: '100%', color: 'var(--color-ink)', backgroundColor: 'transparent', fontSize: 'var(--text-code)' },
  // The frame around the editor shows the focus: lines have grounds of their own that would lie over a ring here.
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': {
    overflow: 'auto',
    fontFamily: 'var(--font-mono)',
    fontVariantLigatures: 'none',
    lineHeight: 'var(--text-code--line-height)',
    scrollbarWidth: 'thin',
    scrollbarColor: 'var(--color-line-strong) transparent',
  },
  '.cm-content': { padding: '0.5rem 0', caretColor: 'var(--color-ink)', userSelect: 'text' },
  '.cm-line': { padding: '0 0.125rem 0 0', overflowWrap: 'anywhere' },
  '.cm-gutters': { border: '0', backgroundColor: 'transparent', color: 'var(--color-ink-3)', fontSize: '0.6875rem' },
  '.cm-lineNumbers .cm-gutterElement': { minWidth: '1.375rem', padding: '0 0.5rem 0 0' },
  '.cm-problems': { width: '0.8125rem' },
  '.cm-problems .cm-gutterElement': { display: 'grid', justifyItems: 'end', alignContent: 'start' },
  '.cm-problems svg': { width: '0.8125rem', height: 'var(--text-code--line-height)' },
  '.cm-mark-bad': { color: 'var(--color-danger)' },
  '.cm-mark-note': { color: 'var(--color-warn)' },
  '.cm-line-bad': { backgroundColor: 'var(--color-danger-soft)' },
  '.cm-line-new': { backgroundColor: 'var(--color-accent-soft)' },
  '.cm-wavy-bad, .cm-wavy-note': {
    textDecoration: 'underline wavy var(--color-danger) 1px',
    textUnderlineOffset: '0.2em',
    color: 'var(--color-ink)',
  },
  '.cm-wavy-note': { textDecorationColor: 'var(--color-warn)' },
  '.cm-comment': { color: 'var(--color-ink-3)', fontStyle: 'italic' },
  '.cm-line-new .cm-comment': { color: 'var(--color-ink-2)' },
  '.cm-id-built-in': { color: 'var(--color-builtin)' },
  '.cm-id-local': { color: 'var(--color-local)' },
  '.cm-id-remote': { color: 'var(--color-space)' },
  '.cm-placeholder-name': { color: 'var(--color-accent-ink)' },
  '.cm-tooltip': {
    border: '1px solid var(--color-line)',
    borderRadius: 'var(--radius-control)',
    backgroundColor: 'var(--color-raised)',
    boxShadow: 'var(--shadow-overlay)',
    overflow: 'hidden',
  },
  '.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--font-mono)', maxWidth: '34rem', padding: '0.25rem' },
  '.cm-tooltip-autocomplete > ul > li': { padding: '0.25rem 0.5rem', borderRadius: '0.375rem' },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--color-selected)',
    color: 'var(--color-ink)',
  },
  '.cm-completionDetail': { marginLeft: '0.75rem', color: 'var(--color-ink-3)', fontStyle: 'normal' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: 'var(--font-weight-strong)' },
})
