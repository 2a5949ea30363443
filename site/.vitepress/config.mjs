import { readFileSync } from 'node:fs'
import { defineConfig } from 'vitepress'

const contents = JSON.parse(readFileSync(new URL('../target/contents.json', import.meta.url), 'utf8'))

/** The same anchors as in a view of the Markdown files, which DocumentsTest checks. */
const slugify = (title) => title.trim().toLowerCase().replace(/[^\p{L}\p{N} -]/gu, '').replaceAll(' ', '-')

/**
 * Splits text into words, and a run of Chinese characters into all pairs of neighbours and its last character. The browser gets the
 * text of this function, so it uses nothing from outside.
 */
function tokenize(text) {
  const terms = []
  for (const word of text.split(/[\n\r\p{Z}\p{P}\p{S}]+/u)) {
    for (const run of word.match(/\p{Script=Han}+|[^\p{Script=Han}]+/gu) ?? []) {
      if (/\p{Script=Han}/u.test(run)) {
        const characters = Array.from(run)
        characters.forEach((character, i) => terms.push(character + (characters[i + 1] ?? '')))
      } else {
        terms.push(run)
      }
    }
  }
  return terms
}

/** Javadoc is no page of VitePress, so the browser loads it. */
const api = contents.api ? [{ text: 'API', link: '/api/index.html', target: '_self', noIcon: true }] : []

/** Puts the pages of a document, which are in the directory of its name, below it. */
function nested(items) {
  const isPageOf = (item, document) => item.link.startsWith(document.link.replace('.html', '/'))
  return items
    .filter((item) => !items.some((document) => isPageOf(item, document)))
    .map((document) => {
      const pages = items.filter((item) => isPageOf(item, document))
      return pages.length === 0 ? document : { ...document, items: pages, collapsed: true }
    })
}

function navigation(groups) {
  return {
    nav: groups.map((group) => ({
      text: group.text,
      link: group.items[0].link,
      activeMatch: `^(?:${group.items.map((item) => item.link.replace('.html', '')).join('|')})$`
    })).concat(api),
    sidebar: groups.map((group) => ({ text: group.text, items: nested(group.items), collapsed: false }))
  }
}

const chineseSearch = {
  button: { buttonText: '搜索', buttonAriaLabel: '搜索' },
  modal: {
    displayDetails: '显示详细列表',
    resetButtonTitle: '清除',
    backButtonTitle: '关闭',
    noResultsText: '没有结果：',
    footer: {
      selectText: '选择', selectKeyAriaLabel: '回车',
      navigateText: '切换', navigateUpKeyAriaLabel: '上箭头', navigateDownKeyAriaLabel: '下箭头',
      closeText: '关闭', closeKeyAriaLabel: 'Esc'
    }
  }
}

export default defineConfig({
  srcDir: 'target/pages',
  outDir: 'dist',
  cacheDir: 'target/cache',
  title: 'Leasehold',
  // No icon: an address of its own would be one more file, and none at all a request that fails.
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  markdown: { anchor: { slugify }, languageAlias: { gradle: 'groovy' } },
  themeConfig: {
    outline: [2, 3],
    search: {
      provider: 'local',
      options: {
        miniSearch: { options: { tokenize }, searchOptions: { combineWith: 'AND' } },
        locales: { zh: { translations: chineseSearch } }
      }
    }
  },
  locales: {
    root: {
      label: 'English',
      lang: 'en',
      description: 'A distributed lock on Redis and Valkey for Java 17',
      themeConfig: navigation(contents.en)
    },
    zh: {
      label: '简体中文',
      lang: 'zh-CN',
      description: 'Java 17 的 Redis / Valkey 分布式锁',
      themeConfig: {
        ...navigation(contents.zh),
        outline: { level: [2, 3], label: '本页目录' },
        docFooter: { prev: '上一页', next: '下一页' },
        darkModeSwitchLabel: '深色模式',
        lightModeSwitchTitle: '切换到浅色模式',
        darkModeSwitchTitle: '切换到深色模式',
        sidebarMenuLabel: '目录',
        returnToTopLabel: '回到顶部',
        langMenuLabel: '语言',
        skipToContentLabel: '跳到正文',
        notFound: { title: '没有这一页', quote: '', linkLabel: '首页', linkText: '回到首页' }
      }
    }
  }
})
