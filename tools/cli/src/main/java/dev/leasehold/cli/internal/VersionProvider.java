package dev.leasehold.cli.internal;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** Provides the version that the build recorded, and the running JVM. */
final class VersionProvider implements IVersionProvider {

    @Override
    public String[] getVersion() throws IOException {
        Properties properties = new Properties();
        try (InputStream in = VersionProvider.class.getResourceAsStream("version.properties")) {
            if (in != null) {
                properties.load(in);
            }
        }
        String jvm = System.getProperty("java.vm.name") + " " + System.getProperty("java.version");
        return new String[] {"leasehold " + properties.getProperty("version", "of unknown version"), "JVM: " + jvm};
    }
}
