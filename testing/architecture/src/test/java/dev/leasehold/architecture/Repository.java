package dev.leasehold.architecture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** The layout of the repository according to the POMs, so that the rules apply to a new module at once. */
final class Repository {
    static final Path ROOT = root();
    private static final Map<String, String> FOLDERS = folders();

    private Repository() {}

    private static Path root() {
        String root = System.getProperty("leasehold.root");
        if (root == null) {
            throw new IllegalStateException("system property leasehold.root must name the repository's root directory");
        }
        return Path.of(root).toAbsolutePath().normalize();
    }

    /** Returns the modules that the rules judge: those of the product, the published ones by their artifact, or those of the proofs. */
    static List<String> modules() {
        return List.copyOf(FOLDERS.keySet());
    }

    /** Returns the folder of a module. */
    static Path folder(String module) {
        return ROOT.resolve(FOLDERS.get(module));
    }

    private static Map<String, String> folders() {
        Map<String, String> folders = new TreeMap<>();
        if (Boolean.getBoolean("leasehold.rules.ofVerification")) {
            verification().forEach(folder -> folders.put(folder, folder));
            return folders;
        }
        for (String folder : texts(parse(ROOT.resolve("pom.xml")), "module")) {
            Element pom = parse(ROOT.resolve(folder).resolve("pom.xml")).getDocumentElement();
            boolean published = !texts(pom, "maven.deploy.skip").equals(List.of("true"));
            folders.put(published ? artifact(pom) : folder, folder);
        }
        return folders;
    }

    /** Returns the folders of the modules of the proofs, whose reactor is another. */
    static List<String> verification() {
        Path reactor = ROOT.resolve("verification");
        return texts(parse(reactor.resolve("pom.xml")), "module").stream()
                .map(module ->
                        ROOT.relativize(reactor.resolve(module).normalize()).toString())
                .toList();
    }

    private static String artifact(Element pom) {
        for (Node child = pom.getFirstChild(); child != null; child = child.getNextSibling()) {
            if (child.getNodeName().equals("artifactId")) {
                return child.getTextContent().strip();
            }
        }
        throw new IllegalStateException("a POM without artifactId");
    }

    /** Returns the modules that are deployed, apart from the BOM. */
    static List<String> publishedModules() {
        return modules().stream()
                .filter(module -> module.startsWith("leasehold-") && !module.equals("leasehold-bom"))
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
