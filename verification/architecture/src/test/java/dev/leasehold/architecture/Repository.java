package dev.leasehold.architecture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** The layout of the repository according to the POMs, so that the rules apply to a new module at once. */
final class Repository {
    static final Path ROOT = root();

    private Repository() {}

    private static Path root() {
        String root = System.getProperty("leasehold.root");
        if (root == null) {
            throw new IllegalStateException("system property leasehold.root must name the repository's root directory");
        }
        return Path.of(root).toAbsolutePath().normalize();
    }

    /** Returns the directories of all modules, as the root POM lists them, relative to the root. */
    static List<String> modules() {
        return texts(parse(ROOT.resolve("pom.xml")), "module");
    }

    /** Returns the published modules: those of the root directory, apart from the BOM and the benchmarks. */
    static List<String> publishedModules() {
        return modules().stream()
                .filter(module -> module.startsWith("leasehold-") && !module.equals("leasehold-bom"))
                .sorted()
                .toList();
    }

    static Document parse(Path xml) {
        try {
            return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(xml.toFile());
        } catch (IOException | SAXException | ParserConfigurationException e) {
            throw new IllegalStateException("cannot read " + xml, e);
        }
    }

    static List<String> texts(Document document, String tag) {
        return texts(document.getDocumentElement(), tag);
    }

    static List<String> texts(Element element, String tag) {
        NodeList nodes = element.getElementsByTagName(tag);
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < nodes.getLength(); i++) {
            texts.add(nodes.item(i).getTextContent().strip());
        }
        return texts;
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }

    static void write(Path file, String text) {
        try {
            Files.createDirectories(file.getParent());
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file, e);
        }
    }
}
