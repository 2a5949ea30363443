// Writes the pages of the site to target/pages, and its contents to target/contents.json, from docs/ and both READMEs.
// Usage: node pages.mjs [--api]. With --api, the navigation leads to the Javadoc under /api.
import { copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, extname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'

const site = dirname(fileURLToPath(import.meta.url))
const root = dirname(site)
const pages = join(site, 'target', 'pages')
const kinds = ['tutorial', 'how-to', 'reference', 'explanation']
const languages = {
  en: { readme: 'README.md', section: '## Documentation', prefix: '' },
  zh: { readme: 'README.zh-CN.md', section: '## 文档', prefix: 'zh/' }
}
const link = /(!?)\[((?:[^[\]]|\[[^[\]]*\])*)\]\(([^)\s]+)\)/g

const read = (file) => readFileSync(join(root, file), 'utf8')
const markdown = readdirSync(join(root, 'docs'), { recursive: true })
  .map((file) => posix.join('docs', file.replaceAll('\\', '/')))
  .filter((file) => file.endsWith('.md'))
  .sort()

/** Returns where the page of a document is in the site. */
const pageOf = (document) => posix.relative('docs', document)

const titleOf = (document) => /^# (.*)$/m.exec(read(document))[1].replaceAll('`', '')

/** Applies the change to each line that is not in a block of code. */
function proseOf(text, change) {
  let fence = false
  return text.split('\n').map((line) => {
    fence = fence !== line.startsWith('```')
    return fence || line.startsWith('```') ? line : change(line)
  }).join('\n')
}

/** Returns a link as the site shows it: to a page of the site, or, if it leads to the sources, as a path to read. */
function linkOf(document, whole, image, text, target) {
  if (/^[a-z]+:/.test(target)) {
    return whole
  }
  const [path, anchor] = target.split('#')
  const file = path === '' ? document : posix.join(posix.dirname(document), path)
  const fragment = anchor === undefined ? '' : `#${anchor}`
  if (image) {
    return `![${text}](/${imageOf(file)})`
  }
  if (markdown.includes(file)) {
    return `[${[file, basename(file)].includes(text) ? titleOf(file) : text}](/${pageOf(file)}${fragment})`
  }
  if (file === 'README.md' || file === 'README.zh-CN.md') {
    return `[${text}](${file === 'README.md' ? '/' : '/zh/'})`
  }
  if (['.svg', '.png'].includes(extname(file))) {
    return `[${text}](/${imageOf(file)}){target="_self"}`
  }
  if (file.startsWith('docs/') && ['.json', '.yml'].includes(extname(file))) {
    return `[${text}](/${serve(file, `files/${basename(file)}`)}){target="_self"}`
  }
  if (posix.dirname(file) === 'benchmarks/results' && extname(file) === '.md') {
    return `[${text}](/${reportOf(file)}){target="_self"}`
  }
  return text.includes('`') ? text : text.replace(/\/$/, '') === file ? `\`${file}\`` : `${text} (\`${file}\`)`
}

/** Copies a file to those that the site serves as they are, and returns its path there. */
function serve(file, target) {
  mkdirSync(join(pages, 'public', dirname(target)), { recursive: true })
  copyFileSync(join(root, file), join(pages, 'public', target))
  return target
}

const imageOf = (file) => serve(file, `images/${basename(file)}`)

/** A report is served as text: a browser shows that, and downloads Markdown. */
const reportOf = (file) => serve(file, `reports/${basename(file, '.md')}.txt`)

function write(page, text) {
  const file = join(pages, page)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

function writePage(document) {
  const text = proseOf(read(document), (line) =>
    /^\[(?:简体中文|English)\]\([^)]*\)$/.test(line)
      ? '' // the menu of the site switches languages
      : line.replace(link, (...match) => linkOf(document, ...match.slice(0, 4))))
  write(pageOf(document), text)
}

/** An English page has a page of the same address under /zh/, so that the menu of languages leads there. */
function writePointer(document) {
  const page = pageOf(document)
  write(`zh/${page}`, `---\nsearch: false\nprev: false\nnext: false\n---\n# ${titleOf(document)}\n\n这一页只有英文版：[${titleOf(document)}](/${page})\n`)
}

/** Returns the groups of the sidebar: the paragraphs of the README's section about the documentation. */
function contentsOf({ readme, section, prefix }) {
  const text = read(readme)
  const begin = text.indexOf(section)
  if (begin < 0) {
    throw new Error(`${readme} has no section '${section}'`)
  }
  const paragraphs = text.slice(begin).split('\n\n').filter((paragraph) => paragraph.startsWith('**'))
  return kinds.map((kind, i) => ({
    kind,
    text: /^\*\*(.*?)\*\*/.exec(paragraphs[i])[1],
    items: [...paragraphs[i].matchAll(link)].map(([, , , target]) => {
      const page = pageOf(target)
      const english = prefix === 'zh/' && !page.startsWith('zh/')
      return { text: titleOf(target) + (english ? '（英文）' : ''), link: `/${page.replace(/\.md$/, '.html')}` }
    })
  }))
}

/** Every page of the handbook has its counterpart. */
function missingCounterparts() {
  const inBoth = markdown.filter((file) => kinds.includes(pageOf(file).replace(/^zh\//, '').split('/')[0]) || basename(file) === 'index.md')
  return inBoth.flatMap((document) => {
    const page = pageOf(document)
    const counterpart = page.startsWith('zh/') ? `docs/${page.slice(3)}` : `docs/zh/${page}`
    return markdown.includes(counterpart) ? [] : [`${document} has no counterpart ${counterpart}`]
  })
}

/** Every document has its place in the contents. */
function unlisted(contents) {
  return markdown.filter((file) => basename(file) !== 'index.md').flatMap((document) => {
    const page = pageOf(document)
    const language = page.startsWith('zh/') ? 'zh' : 'en'
    const link = `/${page.replace(/\.md$/, '.html')}`
    return contents[language].some((group) => group.items.some((item) => item.link === link))
      ? []
      : [`${languages[language].readme} does not list ${document} under '${languages[language].section}'`]
  })
}

function failOn(problems) {
  if (problems.length > 0) {
    console.error(problems.join('\n'))
    process.exit(1)
  }
}

failOn(missingCounterparts())
const contents = Object.fromEntries(Object.entries(languages).map(([key, language]) => [key, contentsOf(language)]))
failOn(unlisted(contents))
rmSync(pages, { recursive: true, force: true })
markdown.forEach(writePage)
const written = new Set(markdown.map(pageOf))
markdown.filter((file) => !pageOf(file).startsWith('zh/') && !written.has(`zh/${pageOf(file)}`)).forEach(writePointer)
contents.api = process.argv.includes('--api')
writeFileSync(join(site, 'target', 'contents.json'), `${JSON.stringify(contents, null, 2)}\n`)
