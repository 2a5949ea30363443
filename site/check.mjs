// Checks a built site: every link and anchor leads somewhere in it, and nothing is loaded from the network.
// Usage: node check.mjs DIRECTORY. Writes what is wrong to the standard error; the exit status is then 1.
import { readFileSync, readdirSync } from 'node:fs'
import { extname, join, posix } from 'node:path'

const directory = process.argv[2]
const files = readdirSync(directory, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(join(directory, '/').length))
const known = new Set(files)
const problems = new Set()

const read = (file) => readFileSync(join(directory, file), 'utf8')
const external = (address) => /^(?:[a-z][a-z0-9+.-]*:)?\/\//i.test(address)
const local = (address) => !/^[a-z][a-z0-9+.-]*:/i.test(address)
const unescape = (text) => text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
const tags = (html) => html.matchAll(/<([a-z][a-z0-9-]*)((?:\s+[^\s=>"'/]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>"']+))?)*)\s*\/?>/gi)

function attributesOf(text) {
  const pairs = [...text.matchAll(/([^\s=>"'/]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+))/g)]
  return Object.fromEntries(pairs.map(([, name, a, b, c]) => [name.toLowerCase(), unescape(a ?? b ?? c)]))
}

/** The elements of a page, its identifiers, and the addresses in it: those it loads, and those it links to. */
function pageOf(file) {
  const page = { ids: new Set(), loads: [], links: [] }
  for (const [, name, text] of tags(read(file))) {
    const attributes = attributesOf(text)
    if (attributes.id) {
      page.ids.add(attributes.id)
    }
    if (name.toLowerCase() === 'a' && attributes.href) {
      page.links.push(attributes.href)
    } else {
      const sets = (attributes.srcset ?? '').split(',').map((candidate) => candidate.trim().split(/\s+/)[0])
      page.loads.push(...[attributes.href, attributes.src, attributes.poster, attributes.data, ...sets].filter(Boolean))
    }
    page.loads.push(...[...(attributes.style ?? '').matchAll(/url\(\s*["']?([^"')]+)/g)].map((match) => match[1]))
  }
  return page
}

function fileOf(from, address) {
  const path = decodeURIComponent(address.split(/[?#]/)[0])
  const file = path === '' ? from : path.startsWith('/') ? path.slice(1) : posix.join(posix.dirname(from), path)
  return file === '' || file === '.' || file.endsWith('/') ? posix.join(file, 'index.html') : file
}

function checkLoad(from, address) {
  if (external(address)) {
    problems.add(`${from} loads ${address} from the network`)
  } else if (local(address) && !known.has(fileOf(from, address))) {
    problems.add(`${from} loads ${address}, which is not there`)
  }
}

const pages = new Map(files.filter((file) => extname(file) === '.html').map((file) => [file, pageOf(file)]))

for (const [from, page] of pages) {
  page.loads.forEach((address) => checkLoad(from, address))
  for (const address of page.links.filter((link) => local(link) && !external(link))) {
    const file = fileOf(from, address)
    const anchor = decodeURIComponent(address.split('#')[1] ?? '')
    if (!known.has(file)) {
      problems.add(`${from} links to ${address}, which is not there`)
    } else if (anchor !== '' && !pages.get(file)?.ids.has(anchor)) {
      problems.add(`${from} links to ${address}, but ${file} has no such anchor`)
    }
  }
}

if (files.some((file) => file.startsWith('api/'))) {
  for (const home of ['index.html', 'zh/index.html']) {
    if (!pages.get(home)?.links.includes('/api/index.html')) {
      problems.add(`${home} does not link to /api/index.html, although the site has Javadoc`)
    }
  }
}

for (const file of files.filter((name) => extname(name) === '.css')) {
  for (const [, address] of read(file).matchAll(/(?:url\(|@import(?!\s*url\())\s*["']?([^"');]+)/g)) {
    checkLoad(file, address)
  }
}

// The text of pages is in scripts, too, with links that only a reader follows: here only calls count that load.
const call = /(?:\bimport\s*\(?|\bfrom|\bfetch\(|\bimportScripts\(|\bsendBeacon\(|\bnew (?:Worker|WebSocket|EventSource)\()\s*["'`]((?:https?:|wss?:)?\/\/[^"'`]+)/g
const source = /<(?:script|img|iframe|link|source|video|audio)\b[^>]*\b(?:src|href)=\\?["']((?:https?:)?\/\/[^"'\\]+)/g
for (const file of files.filter((name) => ['.js', '.mjs'].includes(extname(name)))) {
  const text = read(file)
  for (const [, address] of [...text.matchAll(call), ...text.matchAll(source)]) {
    problems.add(`${file} loads ${address} from the network`)
  }
}

if (problems.size > 0) {
  console.error([...problems].sort().join('\n'))
  process.exit(1)
}
console.log(`${pages.size} pages, ${files.length} files: every link and anchor leads somewhere, and nothing is loaded from the network`)
